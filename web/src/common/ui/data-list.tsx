import { Box, Text } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useCommonTexts } from '../i18n.js';
import classes from './data-list.module.css';
import type { ListState } from './pages.js';
import { Empty, Failure, Loading, LoadingLine } from './states.js';
import { useVirtualRows } from './virtual-rows.js';

export interface Column<T> {
  readonly key: string;
  readonly header: string;
  /** A track of CSS grid: `120px`, `1fr`, `minmax(160px, 2fr)`. */
  readonly width: string;
  readonly render: (row: T) => ReactNode;
  /** Left out where the window is narrower than 48em. */
  readonly isWideOnly?: boolean;
}

interface DataListProps<T> extends Partial<ListState<T>> {
  /** What it is a list of, for those who hear it. */
  readonly label: string;
  readonly rows: readonly T[];
  readonly isLoaded: boolean;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (row: T) => string;
  /** Where a row leads: a link within the app. */
  readonly linkOf?: (row: T) => string;
  /** In the place of rows where there are none. */
  readonly empty: { readonly title: string; readonly help?: ReactNode };
}

const ROW_HEIGHT = 44;

/**
 * Rows of any number, of which only the visible ones are in the document; the next page is asked for before its end is reached.
 * j and k or the arrows go down and up, Enter opens.
 */
export function DataList<T>(props: DataListProps<T>) {
  const { rows, isLoaded, error, retry, empty } = props;
  if (!isLoaded) return error ? <Failure error={error} {...(retry && { retry })} /> : <Loading rows={8} />;
  return (
    <>
      {Boolean(error) && <Failure error={error} {...(retry && { retry })} />}
      {rows.length === 0 ? <Empty title={empty.title}>{empty.help}</Empty> : <Rows {...props} />}
    </>
  );
}

function Rows<T>(props: DataListProps<T>) {
  const { label, rows, columns, keyOf, linkOf, hasMore = false, loadMore, moreError } = props;
  const t = useCommonTexts();
  const navigate = useNavigate();
  const body = useRef<HTMLDivElement>(null);
  const { pathname, search } = useLocation();
  const [chosen, setChosen] = useState(-1);
  const { virtual, items, topOf, lastVisible } = useVirtualRows({
    body,
    name: `${pathname}${search} ${label}`,
    count: rows.length,
    keyOf: (index) => keyOf(rows[index]!),
    expectedHeight: ROW_HEIGHT,
    overscan: 12,
  });
  useEffect(() => {
    if (hasMore && !moreError && lastVisible >= rows.length - 15) loadMore?.();
  }, [hasMore, moreError, lastVisible, rows.length, loadMore]);

  /** The row by which the Tab key enters the list. */
  const entry = items.some(({ index }) => index === chosen) ? chosen : items[0]?.index;

  const tracks = columns.map(({ width }) => width).join(' ');
  const narrow = columns
    .filter(({ isWideOnly }) => !isWideOnly)
    .map(({ width }) => width.replace(/^\d+px$/, 'minmax(0, $&)'))
    .join(' ');
  const style = { '--tracks': tracks, '--narrow-tracks': narrow } as React.CSSProperties;

  function choose(index: number): void {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setChosen(next);
    virtual.scrollToIndex(next, { align: 'auto' });
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus());
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || !isOfRows(event)) return;
    if (event.key === 'j' || event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'k' || event.key === 'ArrowUp') choose(chosen - 1);
    else if (
      event.key === 'Enter' &&
      linkOf &&
      rows[chosen] &&
      event.target === event.currentTarget.querySelector(`[data-index="${chosen}"]`)
    )
      void navigate(linkOf(rows[chosen]));
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        className={classes.table}
        style={style}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup">
          <div role="row" className={classes.head}>
            {columns.map(({ key, header, isWideOnly }) => (
              <div role="columnheader" key={key} className={isWideOnly ? classes.wide : undefined}>
                {header}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" ref={body} style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map((item) => {
            const row = rows[item.index]!;
            return (
              <div
                role="row"
                key={item.key}
                data-index={item.index}
                ref={virtual.measureElement}
                aria-rowindex={item.index + 2}
                tabIndex={item.index === entry ? 0 : -1}
                className={classes.row}
                style={{ transform: `translateY(${topOf(item)}px)` }}
                onFocus={() => setChosen(item.index)}
                onClick={(event) => {
                  const isInteractive = (event.target as HTMLElement).closest('a, button, input, label');
                  if (linkOf && !isInteractive && !window.getSelection()?.toString())
                    void navigate(linkOf(row));
                }}
                data-link={linkOf ? true : undefined}
              >
                {columns.map(({ key, render, isWideOnly }) => (
                  <Box role="cell" key={key} className={isWideOnly ? classes.wide : classes.cell}>
                    {render(row)}
                  </Box>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {moreError ? (
        <Failure error={moreError} {...(loadMore && { retry: loadMore })} />
      ) : hasMore ? (
        <LoadingLine />
      ) : (
        <Text c="dimmed" size="xs" ta="center" py="sm">
          {t('state.end')}
        </Text>
      )}
    </>
  );
}

/** Not of a dialog that a row has opened, whose keys come here too, and not of a field that is typed in. */
const isOfRows = ({ target, currentTarget }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  currentTarget.contains(target) &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') === null;
