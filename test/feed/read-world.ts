import type { FeedOrder, FeedPage } from '../../src/domains/feed/index.js';
import { callerOf, type FeedWorld, viewerOf } from './feed-world.js';

/** What a test of reading does again and again. */
export interface ReadWorld {
  signIn(...userIds: string[]): Promise<void>;
  follow(reader: string, ...authors: string[]): Promise<void>;
  /** Posts that were published at these times (ms), newest last in `at`; nothing was pushed. Answers their ids. */
  insert(author: string, at: readonly number[], told?: { distribution?: 'push' | 'pull' }): Promise<string[]>;
  page(reader: string, order: FeedOrder, limit: number, after?: string | null): Promise<FeedPage>;
  /** All pages; `between` runs after each. */
  readAll(
    reader: string,
    order: FeedOrder,
    limit: number | (() => number),
    between?: (shown: readonly string[]) => Promise<void>,
  ): Promise<string[]>;
}

export const organicOf = (page: FeedPage): string[] =>
  page.edges.filter((edge) => !edge.isSponsored).map((edge) => edge.node.postId);

export function reading(world: FeedWorld): ReadWorld {
  const page: ReadWorld['page'] = (reader, order, limit, after = null) =>
    world.feed.readFeed(viewerOf(reader), { order, page: { limit, direction: 'forward', cursor: after } });
  return {
    page,
    async signIn(...userIds) {
      for (const userId of userIds) await world.feed.signIn(userId);
    },
    async follow(reader, ...authors) {
      for (const author of authors) {
        const result = await world.feed.followUser(callerOf(reader), author);
        if (!result.ok) throw new Error(JSON.stringify(result.errors));
      }
    },
    async insert(author, at, { distribution = 'push' } = {}) {
      const { rows } = await world.postgres.query<{ post_id: string }>(
        `INSERT INTO posts (post_id, author_id, content, position, version, created_at, distribution)
         SELECT gen_random_uuid(), (SELECT id FROM users WHERE user_id = $1), 'x', n, n, to_timestamp(at / 1000.0), $3
         FROM unnest($2::bigint[]) WITH ORDINALITY AS i (at, n) ORDER BY n RETURNING post_id`,
        [author, at, distribution],
      );
      if (distribution === 'pull') {
        await world.postgres.query('UPDATE users SET has_pulled = true WHERE user_id = $1', [author]);
        await world.feed.relations.pulledAuthorsChanged();
      }
      return rows.map((row) => row.post_id);
    },
    async readAll(reader, order, limit, between) {
      const seen: string[] = [];
      for (let after: string | null = null; ; ) {
        const found: FeedPage = await page(reader, order, typeof limit === 'number' ? limit : limit(), after);
        seen.push(...organicOf(found));
        await between?.(seen);
        if (!found.pageInfo.hasNextPage) return seen;
        after = found.pageInfo.endCursor;
      }
    },
  };
}
