import { accountStream } from '../domains/commerce/account/events.js';
import type { DemoAccount } from './accounts.js';
import type { DemoCustomer } from './customers.js';
import { type Happening, loaded, SHOPKEEPER } from './happening.js';
import type { Person } from './people.js';
import type { DemoPost } from './posts.js';
import { type DemoProduct, productSaved } from './products.js';

/** An event of the demo; its place in the list is its place in the log. */
export interface DemoEvent extends Happening {
  readonly streamPosition: number;
}

/** The stream whose first event says that the demo is there. */
export const MARKER_STREAM = 'Demo-1';

export interface DemoFacts {
  readonly people: readonly Person[];
  readonly posts: readonly DemoPost[];
  readonly accounts: readonly DemoAccount[];
  readonly transfers: readonly Happening[];
  readonly products: readonly DemoProduct[];
  readonly customers: readonly DemoCustomer[];
  /** Of orders, and of what they changed. */
  readonly shop: readonly Happening[];
}

/**
 * Everything that happened, in the order in which it happened, and last of all that the demo was loaded.
 *
 * @param taken streams that exist already: events related to one of them are left out
 */
export function makeHistory(
  facts: DemoFacts,
  now: number,
  taken: ReadonlySet<string> = new Set(),
): readonly DemoEvent[] {
  const happenings = [
    ...facts.products.map(productSaved),
    ...facts.customers.map(({ registered }) => registered),
    ...facts.shop,
    ...facts.accounts.flatMap(accountEvents),
    ...facts.transfers,
    ...facts.posts.map((post) => postPublished(post, facts.people[post.author]!.userId)),
  ].filter(
    ({ relatedStreams }) => taken.size === 0 || !relatedStreams.some((streamId) => taken.has(streamId)),
  );
  // The sort is stable: what happened in one millisecond keeps its order.
  return [...inStreams([...happenings.sort((a, b) => a.at - b.at), demoLoaded(facts, now)])];
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

function accountEvents({ accountId, ownerId, history }: DemoAccount): Happening[] {
  const streamId = accountStream(accountId);
  const metadata = loaded(ownerId);
  return history.map(({ at, event }) => ({ ...event, streamId, metadata, at, relatedStreams: [streamId] }));
}

function postPublished(
  { postId, content, visibility, createdAt: at }: DemoPost,
  authorId: string,
): Happening {
  const streamId = `Post-${postId}`;
  const data = { postId, authorId, content, visibility };
  return {
    type: 'PostPublished',
    data,
    streamId,
    metadata: loaded(authorId),
    at,
    relatedStreams: [streamId],
  };
}

function demoLoaded(facts: DemoFacts, now: number): Happening {
  const { people, posts, accounts, transfers, products, customers, shop } = facts;
  return {
    type: 'DemoLoaded',
    data: {
      users: people.length,
      posts: posts.length,
      accounts: accounts.length,
      transfers: transfers.filter(({ type }) => type === 'TransferStarted').length,
      products: products.length,
      customers: customers.length,
      orders: shop.filter(({ type }) => type === 'OrderPlaced').length,
    },
    streamId: MARKER_STREAM,
    metadata: loaded(SHOPKEEPER),
    at: now,
    relatedStreams: [MARKER_STREAM],
  };
}
