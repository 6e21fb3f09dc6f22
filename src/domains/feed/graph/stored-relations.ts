import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { batchedReads } from '../batched-reads.js';
import { sql } from './relations.sql.js';

/** Viewers in one statement: each may follow thousands. */
const VIEWERS_AT_ONCE = 100;

/** What Postgres has of a viewer, without `pulled`, which depends on others. */
export const storedShape = z.strictObject({
  follows: z.array(z.string()),
  muted: z.array(z.string()),
  blocked: z.array(z.string()),
  keywords: z.array(z.string()),
});
export type Stored = z.infer<typeof storedShape>;

const NONE: Stored = { follows: [], muted: [], blocked: [], keywords: [] };

/** Relations of viewers as Postgres has them. One post goes to thousands in one instant. */
export function createStoredRelations({ postgres }: { readonly postgres: Queryable }) {
  return {
    /** The viewer's relations; none where there is no such user. */
    of: batchedReads<string, Stored>(async (userIds) => {
      const { rows } = await postgres.query(sql.relationsOf, [userIds]);
      const byId = new Map(rows.map(({ userId, ...stored }) => [userId, stored]));
      return userIds.map((userId) => byId.get(userId) ?? NONE);
    }, VIEWERS_AT_ONCE),
    /** Those whom the viewer follows who ever published posts to be pulled. */
    pulledBy: batchedReads<string, ReadonlySet<string>>(async (userIds) => {
      const { rows } = await postgres.query(sql.pulledFollows, [userIds]);
      const byId = Map.groupBy(rows, ({ userId }) => userId);
      return userIds.map((userId) => new Set(byId.get(userId)?.map(({ authorId }) => authorId)));
    }, VIEWERS_AT_ONCE),
  };
}
