import { answerParent } from '../../harness/answer-parent.ts';
import { loadProduct } from '../../harness/product.ts';
import { openProductApp } from '../../harness/product-app.ts';

/** What the process that reads does for the benchmark. */
export type ColdMethods = typeof methods;

type Warm = (userId: string) => Promise<void>;
type Read = (userId: string) => Promise<number>;

let read: Read;
let warm: Warm;

async function timed(
  users: readonly string[],
  work: (userId: string) => Promise<unknown>,
): Promise<number[]> {
  const took: number[] = [];
  for (const userId of users) {
    const start = performance.now();
    await work(userId);
    took.push(performance.now() - start);
  }
  return took;
}

const methods = {
  /** The product's own parts, in this process. */
  async open(databaseUrl: string, redisUrl: string): Promise<void> {
    const pushed = await loadProduct<typeof import('../../../src/domains/feed/read/pushed.js')>(
      'domains/feed/read/pushed.js',
    );
    const app = await openProductApp(databaseUrl, redisUrl);
    const page = { limit: 20, direction: 'forward', cursor: null } as const;
    read = async (userId) => {
      const viewer = { userId, roles: new Set(['user'] as const), plan: 'free' };
      return (await app.feed.readFeed(viewer, { order: 'RANKED', page })).edges.length;
    };
    warm = async (userId) => {
      await pushed.warm({ postgres: app.postgres, cache: app.feed.cache }, userId);
      const held = await app.feed.cache.read(userId, Date.now(), 500);
      if (held?.places.length !== 500)
        throw new Error(`${userId} has ${held?.places.length} entries, not 500`);
    };
  },
  /** A first page of 20, with posts that nobody has read either; the feed is rebuilt beside it. In ms, one by one. */
  page: (users: readonly string[]): Promise<number[]> =>
    timed(users, async (userId) => {
      if ((await read(userId)) !== 20) throw new Error(`${userId} got no page of 20`);
    }),
  /** The rebuild alone: 500 places from Postgres to Redis, read back. In ms, one by one. */
  rebuild: (users: readonly string[]): Promise<number[]> => timed(users, warm),
};

answerParent(methods);
