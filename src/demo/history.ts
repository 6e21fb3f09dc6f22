import { accountStream } from '../domains/commerce/account/events.js';
import type { NewEvent } from '../platform/event-log/index.js';
import type { DemoAccount } from './accounts.js';
import type { Person } from './people.js';
import type { DemoPost } from './posts.js';
import type { DemoProduct } from './products.js';

/** An event of the demo; its place in the list is its place in the log. */
export interface DemoEvent extends NewEvent {
  readonly streamId: string;
  readonly streamPosition: number;
  readonly userId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The stream whose first event says that the demo is there. */
export const MARKER_STREAM = 'Demo-1';

export interface DemoFacts {
  readonly people: readonly Person[];
  readonly posts: readonly DemoPost[];
  readonly accounts: readonly DemoAccount[];
  readonly products: readonly DemoProduct[];
}

/** Everything that happened, in the order in which it happened, and last of all that the demo was loaded. */
export function makeHistory(facts: DemoFacts, now: number): readonly DemoEvent[] {
  const events = [
    ...facts.products.map(productSaved),
    ...facts.accounts.flatMap(accountEvents),
    ...facts.posts.map((post) => postPublished(post, facts.people[post.author]!.userId)),
  ];
  // The sort is stable: what happened in one stream in one millisecond keeps its order.
  return [...events.sort((a, b) => a.at - b.at), demoLoaded(facts, now)];
}

const productSaved = ({ savedAt, ...product }: DemoProduct): DemoEvent => ({
  streamId: `Product-${product.productId}`,
  streamPosition: 0,
  type: 'ProductSaved',
  data: { ...product, version: 1 },
  userId: 'demo',
  at: savedAt,
});

const accountEvents = ({ accountId, ownerId, story }: DemoAccount): DemoEvent[] =>
  story.map(({ at, event }, index) => ({
    streamId: accountStream(accountId),
    streamPosition: index,
    type: event.type,
    data: event.data,
    userId: ownerId,
    at,
  }));

const postPublished = (
  { postId, content, visibility, createdAt }: DemoPost,
  authorId: string,
): DemoEvent => ({
  streamId: `Post-${postId}`,
  streamPosition: 0,
  type: 'PostPublished',
  data: { postId, authorId, content, visibility },
  userId: authorId,
  at: createdAt,
});

const demoLoaded = ({ people, posts, accounts, products }: DemoFacts, now: number): DemoEvent => ({
  streamId: MARKER_STREAM,
  streamPosition: 0,
  type: 'DemoLoaded',
  data: { users: people.length, posts: posts.length, accounts: accounts.length, products: products.length },
  userId: 'demo',
  at: now,
});
