import { Text } from '@mantine/core';
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useLayoutEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';
import { useCommonTexts } from '../../common/i18n.js';
import { useLoadMore } from '../../common/ui/load-more.js';
import { useOffset } from '../../common/ui/offset.js';
import { Failure, LoadingLine } from '../../common/ui/states.js';
import classes from './stream.module.css';
import { useStreamKeys } from './stream-keys.js';

interface StreamProps<T> {
  readonly label: string;
  /** Heights of a stream are remembered under it: who comes back finds the place where they were. */
  readonly name: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly render: (row: T) => ReactNode;
  readonly error?: unknown;
  readonly hasMore: boolean;
  /** Resolves with what went wrong, undefined where nothing did. */
  readonly loadMore: () => Promise<unknown>;
  /** What stands below the last row. */
  readonly end?: ReactNode;
}

const EXPECTED_HEIGHT = 210;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 8;

interface Place {
  readonly heights: VirtualItem[];
  readonly offset: number;
}
/** Where each stream was left. */
const places = new Map<string, Place>();

/** Rows of any height and number, of which only those near the screen are in the document; the next page comes before its end. */
export function Stream<T>({
  label,
  name,
  rows,
  keyOf,
  render,
  error,
  hasMore,
  loadMore,
  end,
}: StreamProps<T>) {
  const t = useCommonTexts();
  const body = useRef<HTMLDivElement>(null);
  const offset = useOffset(body);
  const isBack = useNavigationType() === 'POP';
  const place = places.get(name);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => EXPECTED_HEIGHT,
    overscan: 5,
    scrollMargin: offset,
    // With another function every row is placed anew.
    getItemKey: useCallback((index: number) => keyOf(rows[index]!), [rows, keyOf]),
    initialMeasurementsCache: place?.heights ?? [],
    // Who goes back finds what they left; the virtualizer scrolls there itself.
    initialOffset: () => (isBack && place ? place.offset : window.scrollY),
  });
  useLayoutEffect(
    () => () => {
      places.set(name, { heights: virtual.takeSnapshot(), offset: virtual.scrollOffset ?? 0 });
    },
    [name, virtual],
  );
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const more = useLoadMore(hasMore && last >= rows.length - AHEAD, rows.length, loadMore);
  const failure = more.error ?? error;
  const onKeyDown = useStreamKeys(body, rows.length, (index) =>
    virtual.scrollToIndex(index, { align: 'auto' }),
  );

  return (
    <>
      <div
        role="feed"
        aria-label={label}
        aria-busy={hasMore && last >= rows.length - 1}
        ref={body}
        className={classes.body}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {items.map((item) => (
          <div
            key={item.key}
            data-index={item.index}
            ref={virtual.measureElement}
            className={classes.item}
            style={{ transform: `translateY(${item.start - offset}px)` }}
          >
            {render(rows[item.index]!)}
          </div>
        ))}
      </div>
      {Boolean(failure) && <Failure error={failure} retry={more.retry} />}
      {hasMore
        ? !failure && <LoadingLine />
        : (end ?? (
            <Text c="dimmed" size="sm" ta="center" py="lg">
              {t('state.end')}
            </Text>
          ))}
    </>
  );
}
