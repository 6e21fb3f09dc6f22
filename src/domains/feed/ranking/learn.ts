import { z } from 'zod';
import type { Clock } from '../../../platform/clock.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { inParts } from '../in-parts.js';
import { LOOKED_AT } from './content.js';
import { SIGNALS_KEPT_MS } from './interactions.js';
import { sql } from './learn.sql.js';
import { CONTENT_TYPES, type ContentType, OUTCOMES } from './predictor.js';
import { type LearnedRates, NOTHING_LEARNED, type Tally } from './rates-predictor.js';

/** Bounds a run, whatever readers do. */
const SIGNALS = 100_000;
const AUTHORS = 1_000;
/** Posts that one statement looks up. */
const PAGE = 1_000;
const MODELS_KEPT = 10;

/** What readers did with a post that was shown; `authorId` is the surrogate id. */
type Sample = RowOf<typeof sql.sample>;

/**
 * Learns from what readers did with posts that were shown: the newest 100,000 signals of the last 30 days. The learned model
 * is the newest from then on.
 *
 * @returns how many views it learned from; where there was none, nothing is learned
 */
export async function learnRates(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
}): Promise<number> {
  const { postgres } = deps;
  const now = deps.clock.now();
  const since = new Date(now - SIGNALS_KEPT_MS);
  const { rows: posts } = await postgres.query(sql.sample, [since, SIGNALS]);
  const byType = new Map<ContentType, Sum>();
  const byAuthor = new Map<string, Sum>();
  for (const page of inParts(posts, PAGE)) {
    const typeOf = await typesOf(postgres, page);
    for (const post of page) {
      const type = typeOf.get(post.postId);
      // The post is gone.
      if (!type) continue;
      add(byType, type, post);
      add(byAuthor, post.authorId, post);
    }
  }
  const samples = [...byType.values()].reduce((sum, { views }) => sum + views, 0);
  if (samples === 0) return 0;
  const authors = await namedAuthors(postgres, byAuthor);
  const learned = JSON.stringify({ types: Object.fromEntries(byType), authors } satisfies LearnedRates);
  await postgres.query(sql.saveModel, [new Date(now), samples, learned, MODELS_KEPT]);
  return samples;
}

async function typesOf(
  postgres: Queryable,
  posts: readonly Sample[],
): Promise<ReadonlyMap<string, ContentType>> {
  const postIds = posts.map(({ postId }) => postId);
  const { rows } = await postgres.query(sql.typesOf, [postIds, LOOKED_AT]);
  return new Map(rows.map(({ postId, type }) => [postId, type]));
}

/** The most seen, by user id. */
async function namedAuthors(
  postgres: Queryable,
  tallies: ReadonlyMap<string, Tally>,
): Promise<Readonly<Record<string, Tally>>> {
  const most = [...tallies].sort(([, one], [, other]) => other.views - one.views).slice(0, AUTHORS);
  const { rows } = await postgres.query(sql.authorsOf, [most.map(([authorId]) => authorId)]);
  return Object.fromEntries(rows.map(({ authorId, userId }) => [userId, tallies.get(authorId)!]));
}

const TALLIED = ['views', ...OUTCOMES] as const;
type Sum = Record<(typeof TALLIED)[number], number>;

function add<Key>(sums: Map<Key, Sum>, key: Key, { postId, authorId, ...tally }: Sample): void {
  const sum = sums.get(key);
  if (!sum) sums.set(key, tally);
  else for (const what of TALLIED) sum[what] += tally[what];
}

/** What a later version counts besides is left out. */
const tally = z.object(Object.fromEntries(TALLIED.map((what) => [what, z.int().min(0)])));
const model = z.object({
  types: z.partialRecord(z.enum(CONTENT_TYPES), tally),
  authors: z.record(z.string(), tally),
});

/** What was learned last. */
export async function findLearnedRates(deps: { readonly postgres: Queryable }): Promise<LearnedRates> {
  const { rows } = await deps.postgres.query(sql.newestModel);
  return rows[0] ? (model.parse(rows[0].weights) as LearnedRates) : NOTHING_LEARNED;
}
