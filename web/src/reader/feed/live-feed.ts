import type { Reference } from '@apollo/client';
import { useSyncExternalStore } from 'react';
import { client } from '../../common/client.js';
import { isSamePerson, onSession, session } from '../../common/session.js';
import type { FeedOrder } from '../../generated/graphql.js';
import { addAbove, forgetFeed, hasFeed, isInFeed, referenceOf, removeFromFeeds } from './cached-feeds.js';
import { NewPosts } from './queries.js';

/** Of the feed in one order. */
interface LiveFeed {
  /** Ids of posts that came since, newest first: they wait until they are asked for. */
  readonly waiting: readonly string[];
  /** Too many were missed: the first page has to be read again. */
  readonly isStale: boolean;
}

type LiveFeeds = Readonly<Record<FeedOrder, LiveFeed>>;

const ORDERS = ['RANKED', 'LATEST'] as const satisfies readonly FeedOrder[];
const NOTHING: LiveFeed = { waiting: [], isStale: false };
const NOTHING_YET: LiveFeeds = { RANKED: NOTHING, LATEST: NOTHING };
const listeners = new Set<() => void>();
let state = NOTHING_YET;
let subscription: { unsubscribe: () => void } | undefined;

/** What came while a first page was being read, newest first: the answer may have been made before it. */
const cameMeanwhile = new Map<FeedOrder, string[]>();
/** The order on the screen. */
let open: FeedOrder | undefined;
/** How long a feed that was left is kept as it was (feed document, defaults). */
const KEPT_MS = 300_000;
const ends = new Map<FeedOrder, ReturnType<typeof setTimeout>>();
/** What belongs in the feed has changed while it was on the screen. */
let isOutdated = false;

/** The first page of the feed in an order is asked for. */
export function readingFeed(order: FeedOrder): void {
  cameMeanwhile.set(order, []);
}

/** It could not be read. */
export function feedWasNotRead(order: FeedOrder): void {
  cameMeanwhile.delete(order);
}

/**
 * A first page is there, just read or from before. What waited when it was asked for is in it, or further down; what came
 * since waits. The feed is followed from there if it is not followed yet: over broken connections too, until somebody else
 * signs in. Posts are added when the reader asks for them, so that nothing moves under their eyes.
 *
 * @param after its `liveCursor`
 */
export function feedIsThere(order: FeedOrder, after: string): void {
  const came = cameMeanwhile.get(order);
  cameMeanwhile.delete(order);
  if (came) {
    set(order, { waiting: came.filter((id) => !isInFeed(order, id)), isStale: false });
    if (order === open) isOutdated = false;
  }
  // From a page of which too much was missed it cannot be followed.
  if (!subscription && !state[order].isStale) follow(after);
}

function follow(after: string): void {
  subscription = client.subscribe({ query: NewPosts, variables: { after } }).subscribe({
    // What ends a subscription comes as its last result.
    next({ data, error }) {
      if (error) return ended();
      const id = data?.feedUpdated.post?.id;
      if (id) for (const order of ORDERS) came(order, id);
    },
  });
}

function came(order: FeedOrder, id: string): void {
  cameMeanwhile.get(order)?.unshift(id);
  const { waiting } = state[order];
  if (!isInFeed(order, id) && !waiting.includes(id)) set(order, { waiting: [id, ...waiting] });
}

function ended(): void {
  subscription?.unsubscribe();
  subscription = undefined;
  for (const order of ORDERS) if (hasFeed(order)) set(order, { isStale: true });
}

/** Puts what waits for an order at the top of the feed, in each order that was loaded. */
export function showWaiting(order: FeedOrder): void {
  addAbove(state[order].waiting);
  for (const one of ORDERS) set(one, { waiting: state[one].waiting.filter((id) => !isInFeed(one, id)) });
}

/** Posts that are not to be shown any more leave the feeds, and wait no longer. */
export function dropPosts(matches: (post: Reference) => boolean): void {
  removeFromFeeds(matches);
  for (const order of ORDERS)
    set(order, { waiting: state[order].waiting.filter((id) => !matches(referenceOf(id))) });
}

/**
 * What belongs in one's feed has changed: what is kept of it and what waits is forgotten, and read when it is shown next. The
 * order on the screen stays until it is left, so that its reader keeps their place.
 */
export function feedChanged(): void {
  for (const order of ORDERS)
    if (order === open) isOutdated = true;
    else forget(order);
}

/** The feed in an order is on the screen until what it returns is called; then it is kept for five minutes. */
export function openFeed(order: FeedOrder): () => void {
  open = order;
  clearTimeout(ends.get(order));
  return () => {
    open = undefined;
    if (isOutdated) forget(order);
    else ends.set(order, setTimeout(forget, KEPT_MS, order));
    isOutdated = false;
  };
}

function forget(order: FeedOrder): void {
  forgetFeed(order);
  set(order, NOTHING);
}

export const useLiveFeed = (order: FeedOrder): LiveFeed =>
  useSyncExternalStore(subscribe, () => state[order]);

let reader = session();
onSession(() => {
  const isSame = isSamePerson(reader, session());
  reader = session();
  if (isSame) return;
  subscription?.unsubscribe();
  subscription = undefined;
  cameMeanwhile.clear();
  isOutdated = false;
  for (const order of ORDERS) set(order, NOTHING);
});

function set(order: FeedOrder, change: Partial<LiveFeed>): void {
  state = { ...state, [order]: { ...state[order], ...change } };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
