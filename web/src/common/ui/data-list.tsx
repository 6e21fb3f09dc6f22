import { Box, Text } from '@mantine/core';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';
import { useCommonTexts } from '../i18n.js';
import { useShortcutSetting } from '../shortcut-setting.js';
import { CopyAs, type CopyAsProps } from './copy.js';
import classes from './data-list.module.css';
import { useLoadMore } from './load-more.js';
import type { ListState } from './pages.js';
import { Empty, Failure, Loading, LoadingLine } from './states.js';
import { hasModifier, isTyping, isWithin } from './typing.js';
import { useVirtualRows } from './virtual-rows.js';

export interface Column<T> {
  readonly key: string;
  readonly header: string;
  /** A track of CSS grid: `120px`, `1fr`, `minmax(160px, 2fr)`. */
  readonly width: string;
  readonly render: (row: T) => ReactNode;
  /** Figures stand below each other by their last digit. */
  readonly isNumber?: boolean;
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
  /** What the rows were asked for by, to be copied. */
  readonly asked?: CopyAsProps;
  /** In the place of rows where there are none. */
  readonly empty: { readonly title: string; readonly help?: ReactNode };
}

const ROW_HEIGHT = 44;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 15;
/** A list with fewer rows shows by itself that they are all. */
const LONG = 20;

/**
 * Rows of any number, of which only the visible ones are in the document; the next page is asked for before its end is reached.
 * j and k or the arrows go down and up, Enter opens.
 */
export function DataList<T>(props: DataListProps<T>) {
  const { rows, isLoaded, error, retry, asked, empty } = props;
  if (!isLoaded) return error ? <Failure error={error} {...(retry && { retry })} /> : <Loading rows={8} />;
  return (
    <>
      {rows.length > 0 && <Rows {...props} />}
      {rows.length === 0 && Boolean(error) && <Failure error={error} {...(retry && { retry })} />}
      {rows.length === 0 && <Empty title={empty.title}>{empty.help}</Empty>}
      {asked && (
        <Box mt="xs">
          <CopyAs {...asked} />
        </Box>
      )}
    </>
  );
}

function Rows<T>(props: DataListProps<T>) {
  const { label, rows, columns, keyOf, linkOf, error, retry, hasMore = false, loadMore, moreError } = props;
  const t = useCommonTexts();
  const body = useRef<HTMLDivElement>(null);
  const { pathname, search } = useLocation();
  const name = `${pathname}${search} ${label}`;
  const [chosen, setChosen] = useChosen(name);
  const { virtual, items, topOf, lastVisible } = useVirtualRows({
    body,
    name,
    count: rows.length,
    keyOf: useCallback((index: number) => keyOf(rows[index]!), [rows, keyOf]),
    expectedHeight: ROW_HEIGHT,
    overscan: 12,
  });
  const open = useOpen(linkOf);
  useLoadMore(lastVisible >= rows.length - AHEAD, rows.length, props);
  /** The row by which the Tab key enters the list. */
  const entry = items.some(({ index }) => index === chosen) ? chosen : items[0]?.index;

  const tracks = columns.map(({ width }) => width).join(' ');
  const narrow = columns
    .filter(({ isWideOnly }) => !isWideOnly)
    .map(({ width }) => width.replace(/^\d+px$/, 'minmax(0, $&)'))
    .join(' ');
  const style = { '--tracks': tracks, '--narrow-tracks': narrow } as React.CSSProperties;

  /** To be focused as soon as it is in the document. */
  const wanted = useRef<number>(undefined);
  function focusWanted(): void {
    const row = body.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  }
  useLayoutEffect(focusWanted);

  function choose(index: number): void {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setChosen(next);
    virtual.scrollToIndex(next, { align: 'auto' });
    wanted.current = next;
    focusWanted();
  }

  // From elsewhere on the page the keys lead into the list: nothing has to be clicked first.
  const [hasShortcuts] = useShortcutSetting();
  useEffect(() => {
    if (!hasShortcuts) return;
    const onPageKey = (event: globalThis.KeyboardEvent) => {
      // Of several lists the first one has it.
      if (event.defaultPrevented || !/^[jk]$/.test(event.key) || hasModifier(event) || isTyping(event))
        return;
      event.preventDefault();
      choose(Math.max(0, chosen));
    };
    window.addEventListener('keydown', onPageKey);
    return () => window.removeEventListener('keydown', onPageKey);
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (hasModifier(event) || isTyping(event) || !isWithin(event)) return;
    if (event.key === 'j' || event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'k' || event.key === 'ArrowUp') choose(chosen - 1);
    else if (
      event.key === 'Enter' &&
      linkOf &&
      rows[chosen] &&
      event.target === event.currentTarget.querySelector(`[data-index="${chosen}"]`)
    )
      open(rows[chosen]);
    else return;
    event.preventDefault();
  }

  return (
    <>
      {Boolean(error) && <Failure error={error} {...(retry && { retry })} />}
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
            {columns.map(({ key, header, isWideOnly, isNumber }) => (
              <div
                role="columnheader"
                key={key}
                className={isWideOnly ? classes.wide : undefined}
                data-number={isNumber}
              >
                {header}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" ref={body} style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map((item) => (
            <MemoRow
              key={item.key}
              index={item.index}
              top={topOf(item)}
              row={rows[item.index]!}
              columns={columns as readonly Column<unknown>[]}
              measure={virtual.measureElement}
              isReached={item.index === entry}
              onFocus={setChosen}
              open={linkOf && open}
            />
          ))}
        </div>
      </div>
      {Boolean(moreError) && <Failure error={moreError} {...(loadMore && { retry: loadMore })} />}
      {hasMore && !moreError && <LoadingLine />}
      {!hasMore && rows.length > LONG && (
        <Text c="dimmed" size="xs" ta="center" py="sm">
          {t('state.end')}
        </Text>
      )}
    </>
  );
}

/** Which row of each list was chosen last. */
const lastChosen = new Map<string, number>();

/** The row where the keys are, or -1: who goes back to a list goes on from the row that they left. */
function useChosen(name: string) {
  const isBack = useNavigationType() === 'POP';
  const [chosen, setChosen] = useState(() => (isBack ? (lastChosen.get(name) ?? -1) : -1));
  useEffect(() => {
    lastChosen.set(name, chosen);
  }, [name, chosen]);
  return [chosen, setChosen] as const;
}

/** Goes where a row leads; the same function as long as the list stands. */
function useOpen<T>(linkOf: ((row: T) => string) | undefined): (row: unknown) => void {
  const navigate = useNavigate();
  const newest = useRef({ linkOf, navigate });
  useLayoutEffect(() => {
    newest.current = { linkOf, navigate };
  });
  return useCallback((row) => {
    const { linkOf: link, navigate: go } = newest.current;
    if (link) void go(link(row as T));
  }, []);
}

interface RowProps {
  readonly index: number;
  /** In pixels from the top of the list. */
  readonly top: number;
  readonly row: unknown;
  readonly columns: readonly Column<unknown>[];
  readonly measure: (element: Element | null) => void;
  /** Whether the tabulator stops at it. */
  readonly isReached: boolean;
  readonly onFocus: (index: number) => void;
  readonly open: ((row: unknown) => void) | undefined;
}

/** Rendered again only where it changes: each turn of the wheel renders the list. */
const MemoRow = memo(function Row(props: RowProps) {
  const { index, top, row, columns, measure, isReached, onFocus, open } = props;

  function onClick(event: MouseEvent): void {
    const isInteractive = (event.target as HTMLElement).closest('a, button, input, label');
    if (open && !isInteractive && !window.getSelection()?.toString()) open(row);
  }

  return (
    <div
      role="row"
      data-index={index}
      ref={measure}
      aria-rowindex={index + 2}
      tabIndex={isReached ? 0 : -1}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={() => onFocus(index)}
      onClick={onClick}
      data-link={open ? true : undefined}
    >
      {columns.map(({ key, render, isWideOnly, isNumber }) => (
        <Box
          role="cell"
          key={key}
          className={isWideOnly ? classes.wide : classes.cell}
          data-number={isNumber}
        >
          {render(row)}
        </Box>
      ))}
    </div>
  );
});
