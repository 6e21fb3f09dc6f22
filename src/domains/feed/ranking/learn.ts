import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres.js';
import { LOOKED_AT } from './content.js';
import { SIGNALS_KEPT_MS } from './interactions.js';
import { sql } from './learn.sql.js';
import { CONTENT_TYPES, type ContentType } from './predictor.js';
import { type LearnedRates, NOTHING_LEARNED, type Tally } from './rates-predictor.js';

/** Bounds a run, whatever readers do. */
const SIGNALS = 100_000;
const AUTHORS = 1_000;
/** Posts that one statement looks up. */
const PAGE = 1_000;
const MODELS_KEPT = 10;

/** What readers did with a post that was shown. */
interface PostRow extends Tally {
  readonly postId: string;
  /** Surrogate id. */
  readonly authorId: string;
}

/**
 * Learns from what readers did with posts that were shown: the newest 100,000 signals of the last 30 days. The learned model
 * is the newest from then on.
 *
 * @returns how many views it learned from; where there was none, nothing is learned
 */
export async function learnRates(deps: { readonly postgres: Queryable }, now: number): Promise<number> {
  const { postgres } = deps;
  const since = new Date(now - SIGNALS_KEPT_MS);
  const { rows: posts } = await postgres.query(sql.sample, [since, SIGNALS]);
  const byType = new Map<ContentType, Tally>();
  const byAuthor = new Map<string, Tally>();
  for (let from = 0; from < posts.length; from += PAGE) {
    const page = posts.slice(from, from + PAGE);
    const typeOf = await typesOf(postgres, page);
    for (const post of page) {
      const type = typeOf.get(post.postId);
      // The post is gone.
      if (!type) continue;
      byType.set(type, sumOf(byType.get(type), post));
      byAuthor.set(post.authorId, sumOf(byAuthor.get(post.authorId), post));
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
  posts: readonly PostRow[],
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

const sumOf = (sum: Tally | undefined, more: Tally): Tally => ({
  views: (sum?.views ?? 0) + more.views,
  like: (sum?.like ?? 0) + more.like,
  comment: (sum?.comment ?? 0) + more.comment,
  share: (sum?.share ?? 0) + more.share,
  click: (sum?.click ?? 0) + more.click,
  hide: (sum?.hide ?? 0) + more.hide,
});

const counted = z.int().min(0);
const tally = z.object({
  views: counted,
  like: counted,
  comment: counted,
  share: counted,
  click: counted,
  hide: counted,
});
const model = z.object({
  types: z.partialRecord(z.enum(CONTENT_TYPES), tally),
  authors: z.record(z.string(), tally),
});

/** What was learned last. */
export async function findLearnedRates(deps: { readonly postgres: Queryable }): Promise<LearnedRates> {
  const { rows } = await deps.postgres.query(sql.newestModel);
  return rows[0] ? (model.parse(rows[0].weights) as LearnedRates) : NOTHING_LEARNED;
}
