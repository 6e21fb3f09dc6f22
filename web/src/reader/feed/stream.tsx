import { Text } from '@mantine/core';
import { type ReactNode, useCallback, useRef } from 'react';
import { useCommonTexts } from '../../common/i18n.js';
import { useLoadMore } from '../../common/ui/load-more.js';
import { Failure, LoadingLine } from '../../common/ui/states.js';
import { useVirtualRows } from '../../common/ui/virtual-rows.js';
import classes from './stream.module.css';
import { useStreamKeys } from './stream-keys.js';

interface StreamProps<T> {
  readonly label: string;
  /** Heights of a stream are remembered under it: who comes back finds the place where they were. */
  readonly name: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly render: (row: T) => ReactNode;
  /** Why the next page could not be read. */
  readonly error?: unknown;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  /** What stands below the last row. */
  readonly end?: ReactNode;
}

const EXPECTED_HEIGHT = 210;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 8;

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
  const { virtual, items, topOf, lastVisible } = useVirtualRows({
    body,
    name,
    count: rows.length,
    keyOf: useCallback((index: number) => keyOf(rows[index]!), [rows, keyOf]),
    expectedHeight: EXPECTED_HEIGHT,
    overscan: 5,
  });
  useLoadMore(lastVisible >= rows.length - AHEAD, rows.length, { hasMore, loadMore, moreError: error });
  const onKeyDown = useStreamKeys(body, rows.length, (index) =>
    virtual.scrollToIndex(index, { align: 'auto' }),
  );

  return (
    <>
      <div
        role="feed"
        aria-label={label}
        aria-busy={hasMore && lastVisible >= rows.length - 1}
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
            style={{ transform: `translateY(${topOf(item)}px)` }}
          >
            {render(rows[item.index]!)}
          </div>
        ))}
      </div>
      {Boolean(error) && <Failure error={error} retry={loadMore} />}
      {hasMore
        ? !error && <LoadingLine />
        : (end ?? (
            <Text c="dimmed" size="sm" ta="center" py="lg">
              {t('state.end')}
            </Text>
          ))}
    </>
  );
}
