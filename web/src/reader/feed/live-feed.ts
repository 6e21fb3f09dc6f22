import type { Reference } from '@apollo/client';
import { useSyncExternalStore } from 'react';
import { client } from '../../common/client.js';
import { isSamePerson, onSession, session } from '../../common/session.js';
import { addAbove, isInFeed, referenceOf } from './cached-feeds.js';
import { NewPosts } from './queries.js';

interface LiveFeed {
  /** Ids of posts that came since, newest first: they wait until they are asked for. */
  readonly waiting: readonly string[];
  /** Too many were missed: the first page has to be read again. */
  readonly isStale: boolean;
}

const NOTHING: LiveFeed = { waiting: [], isStale: false };
const listeners = new Set<() => void>();
let state = NOTHING;
let subscription: { unsubscribe: () => void } | undefined;

/**
 * Follows the feed from where its first page was read, over broken connections too, until somebody else signs in. Posts are
 * added when the reader asks for them, so that nothing moves under their eyes; their own appear at once.
 *
 * @param after `liveCursor` of the first page
 */
export function followFeed(after: string): void {
  if (subscription) return;
  const updates = client.subscribe({ query: NewPosts, variables: { after } });
  subscription = updates.subscribe({
    // What ends a subscription comes as its last result.
    next({ data, error }) {
      if (error) return ended();
      const post = data?.feedUpdated.post;
      if (!post || isInFeed(post.id) || state.waiting.includes(post.id)) return;
      if (post.author.userId === session()?.userId) addAbove([post.id]);
      else set({ ...state, waiting: [post.id, ...state.waiting] });
    },
  });
}

/** Puts what waits at the top of the feed. */
export function showWaiting(): void {
  addAbove(state.waiting);
  set({ ...state, waiting: [] });
}

/** The first page was read again: what waited is in it, or further down. */
export function feedWasRead(after: string): void {
  set(NOTHING);
  followFeed(after);
}

/** Posts that are not to be shown any more wait no longer. */
export function forgetWaiting(matches: (post: Reference) => boolean): void {
  set({ ...state, waiting: state.waiting.filter((id) => !matches(referenceOf(id))) });
}

export const useLiveFeed = (): LiveFeed => useSyncExternalStore(subscribe, () => state);

function ended(): void {
  subscription?.unsubscribe();
  subscription = undefined;
  set({ ...state, isStale: true });
}

let reader = session();
onSession(() => {
  const isSame = isSamePerson(reader, session());
  reader = session();
  if (isSame) return;
  subscription?.unsubscribe();
  subscription = undefined;
  set(NOTHING);
});

function set(next: LiveFeed): void {
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
