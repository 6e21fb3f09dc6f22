import { loadStatements, type Queryable } from '../../../platform/postgres.js';

const sql = loadStatements(new URL('./followers.sql', import.meta.url), ['followers']);
export const FOLLOWERS_A_PAGE = 1_000;

export interface Follower {
  readonly follower_id: number;
  readonly user_id: string;
  /** Seen lately enough to have a warm feed. */
  readonly active: boolean;
}

/**
 * An author's followers by surrogate id, page by page; the next page is read while the caller has this one. By id and not
 * by when they were here last, lest somebody who comes meanwhile be passed over.
 */
export async function* pagesOfFollowers(
  deps: { postgres: Queryable },
  authorId: number,
  after: number,
  activeSince: Date,
): AsyncGenerator<readonly Follower[], void> {
  const pageAfter = async (last: number): Promise<Follower[]> => {
    const asked = [authorId, last, FOLLOWERS_A_PAGE, activeSince];
    return (await deps.postgres.query<Follower>(sql.followers, asked)).rows;
  };
  for (let page = await pageAfter(after); page.length > 0; ) {
    const next = page.length < FOLLOWERS_A_PAGE ? Promise.resolve([]) : pageAfter(page.at(-1)!.follower_id);
    // Should the caller fail meanwhile, nobody waits for the next page.
    next.catch(() => undefined);
    yield page;
    page = await next;
  }
}
