import { accountStream } from '../domains/commerce/account/events.js';
import type { DemoAccount } from './accounts.js';
import { type Happening, happening, SHOPKEEPER } from './happening.js';
import type { Demo } from './make.js';
import type { DemoPost } from './posts.js';
import { productSaved } from './products.js';

/** An event of the demo; its place in the list is its place in the log. */
export interface DemoEvent extends Happening {
  readonly streamPosition: number;
}

/** The stream whose first event says that the demo is there. */
export const MARKER_STREAM = 'Demo-1';

/**
 * Everything that happened, in the order in which it happened, and last of all that the demo was loaded.
 *
 * @param taken streams that exist already: events related to one of them are left out
 */
export function makeHistory(demo: Demo, taken: ReadonlySet<string> = new Set()): readonly DemoEvent[] {
  const happenings = [
    ...demo.products.map(productSaved),
    ...demo.customers.map(({ registered }) => registered),
    ...demo.shop,
    ...demo.accounts.flatMap(accountEvents),
    ...demo.transfers,
    ...demo.posts.map((post) => postPublished(post, demo.people[post.author]!.userId)),
  ].filter(
    ({ relatedStreams }) => taken.size === 0 || !relatedStreams.some((streamId) => taken.has(streamId)),
  );
  // The sort is stable: what happened in one millisecond keeps its order.
  return [...inStreams([...happenings.sort((a, b) => a.at - b.at), demoLoaded(demo)])];
}

/** Gives every event the next place in its stream. */
function* inStreams(happenings: readonly Happening[]): Iterable<DemoEvent> {
  const lengths = new Map<string, number>();
  for (const happening of happenings) {
    const streamPosition = lengths.get(happening.streamId) ?? 0;
    lengths.set(happening.streamId, streamPosition + 1);
    yield { ...happening, streamPosition };
  }
}

const accountEvents = ({ accountId, ownerId, history }: DemoAccount): Happening[] =>
  history.map(({ at, event }) => happening(accountStream(accountId), event, ownerId, at));

function postPublished({ postId, content, visibility, createdAt }: DemoPost, authorId: string): Happening {
  const data = { postId, authorId, content, visibility };
  return happening(`Post-${postId}`, { type: 'PostPublished', data }, authorId, createdAt);
}

function demoLoaded(demo: Demo): Happening {
  const data = {
    users: demo.people.length,
    posts: demo.posts.length,
    accounts: demo.accounts.length,
    transfers: demo.transfers.filter(({ type }) => type === 'TransferStarted').length,
    products: demo.products.length,
    customers: demo.customers.length,
    orders: demo.shop.filter(({ type }) => type === 'OrderPlaced').length,
  };
  return happening(MARKER_STREAM, { type: 'DemoLoaded', data }, SHOPKEEPER, demo.now);
}
