import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';
import { useNavigationType } from 'react-router';

interface VirtualRowsOptions {
  /** The element that holds the rows. */
  readonly body: RefObject<HTMLElement | null>;
  /** The place is remembered under it: who goes back finds the rows where they left them. */
  readonly name: string;
  readonly count: number;
  /** Another function places every row anew. */
  readonly keyOf: (index: number) => string;
  readonly expectedHeight: number;
  readonly overscan: number;
}

interface Place {
  readonly heights: VirtualItem[];
  readonly offset: number;
}

/** Where each list was left, the last one at the end. */
const places = new Map<string, Place>();
const MOST_PLACES = 30;

/** Rows of any number in a page that scrolls as a whole, of which only those near the screen are in the document. */
export function useVirtualRows({ body, name, count, keyOf, expectedHeight, overscan }: VirtualRowsOptions) {
  const offset = useOffset(body);
  const isBack = useNavigationType() === 'POP';
  const place = places.get(name);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => expectedHeight,
    overscan,
    scrollMargin: offset,
    getItemKey: keyOf,
    initialMeasurementsCache: place?.heights ?? [],
    // Who goes back is taken to their place by the virtualizer itself.
    initialOffset: () => (isBack && place ? place.offset : window.scrollY),
  });
  useLayoutEffect(
    () => () => {
      places.delete(name);
      places.set(name, { heights: virtual.takeSnapshot(), offset: virtual.scrollOffset ?? 0 });
      const [oldest] = places.keys();
      if (places.size > MOST_PLACES && oldest !== undefined) places.delete(oldest);
    },
    [name, virtual],
  );
  const items = virtual.getVirtualItems();
  return {
    virtual,
    items,
    /** Where a row is drawn, within the element that holds the rows. */
    topOf: ({ start }: VirtualItem): number => start - offset,
    lastVisible: items.at(-1)?.index ?? 0,
  };
}

/** How far below the top of the page an element begins, also after what is above it has grown. */
function useOffset(element: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current)
        setOffset(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return offset;
}
