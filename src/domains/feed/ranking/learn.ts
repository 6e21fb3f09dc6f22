import { z } from 'zod';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { LOOKED_AT } from './content.js';
import { SIGNALS_KEPT_MS } from './interactions.js';
import { CONTENT_TYPES, type ContentType } from './predictor.js';
import { type LearnedRates, NOTHING_LEARNED, type Tally } from './rates-predictor.js';

const sql = loadStatements(new URL('./learn.sql', import.meta.url), ['learn', 'saveModel', 'newestModel']);

/** What bounds a run, whatever readers do. */
const SIGNALS = 500_000;
const AUTHORS = 1_000;
const MODELS_KEPT = 10;

interface TallyRow extends Tally {
  readonly type: ContentType | null;
  readonly author: string | null;
}

/**
 * Learns from what became of posts that were shown: the newest 500,000 signals of the last 30 days. The model that was
 * learned is the newest from then on.
 *
 * @returns how many views it learned from; where there was none, nothing is learned
 */
export async function learnRates(deps: { readonly postgres: Queryable }, now: number): Promise<number> {
  const since = new Date(now - SIGNALS_KEPT_MS);
  const { rows } = await deps.postgres.query<TallyRow>(sql.learn, [since, SIGNALS, AUTHORS, LOOKED_AT]);
  const types = Object.fromEntries(rows.flatMap((row) => (row.type ? [[row.type, tallyOf(row)]] : [])));
  const authors = Object.fromEntries(rows.flatMap((row) => (row.author ? [[row.author, tallyOf(row)]] : [])));
  const samples = Object.values(types).reduce((sum, { views }) => sum + views, 0);
  if (samples === 0) return 0;
  const learned = JSON.stringify({ types, authors } satisfies LearnedRates);
  await deps.postgres.query(sql.saveModel, [new Date(now), samples, learned, MODELS_KEPT]);
  return samples;
}

const tallyOf = ({ views, like, comment, share, click, hide }: Tally): Tally => ({
  views,
  like,
  comment,
  share,
  click,
  hide,
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
  const { rows } = await deps.postgres.query<{ weights: unknown }>(sql.newestModel);
  return rows[0] ? (model.parse(rows[0].weights) as LearnedRates) : NOTHING_LEARNED;
}
