import type { Clock } from '../../../platform/clock.js';
import { createForget, forgetInBatches } from '../../../platform/forget.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql } from './interactions.sql.js';
import type { RankingSettings } from './settings.js';

/** What readers did, as their clients report it: about a post, or about a person. */
export const SIGNAL_KINDS = [
  'IMPRESSION',
  'CLICK',
  'HIDE',
  'PROFILE_VISIT',
  'DIRECT_MESSAGE',
  'TAG',
] as const;
export type SignalKind = (typeof SIGNAL_KINDS)[number];

/** What a reader did with a post, or with a person where `postId` is null. */
export interface Interaction {
  readonly readerId: string;
  readonly postId: string | null;
  readonly personId: string | null;
  readonly kind: SignalKind | 'LIKE' | 'COMMENT' | 'SHARE';
  readonly at: Date;
}

/**
 * Writes what readers did, and how much closer it brings them to the author or person. One statement, whatever their
 * number. Interactions with oneself or with what does not exist, and a second like or share of one post, are left out.
 *
 * @param options.visibleOnly leaves out posts that the reader may not see, too
 * @returns how many were written
 */
export async function noteInteractions(
  deps: { readonly postgres: Queryable; readonly affinity: RankingSettings['affinity'] },
  interactions: readonly Interaction[],
  { visibleOnly }: { readonly visibleOnly: boolean },
): Promise<number> {
  if (interactions.length === 0) return 0;
  const { halfLifeDays, interactions: weights } = deps.affinity;
  const closer = {
    LIKE: weights.like,
    COMMENT: weights.comment,
    SHARE: weights.share,
    DIRECT_MESSAGE: weights.directMessage,
    PROFILE_VISIT: weights.profileVisit,
    TAG: weights.tag,
    HIDE: weights.hide,
  } satisfies Partial<Record<Interaction['kind'], number>>;
  const { rows } = await deps.postgres.query(sql.noteInteractions, [
    interactions.map((one) => one.readerId),
    interactions.map((one) => one.postId),
    interactions.map((one) => one.personId),
    interactions.map((one) => one.kind),
    interactions.map((one) => one.at),
    visibleOnly,
    Object.keys(closer),
    Object.values(closer),
    halfLifeDays * DAY_SECONDS,
  ]);
  return rows[0]!.noted;
}

const DAY_SECONDS = 86_400;

/** How close a reader is, by author's user id: sums that have faded up to `now`, the largest and the lowest first. */
export async function findClosest(
  deps: { readonly postgres: Queryable; readonly affinity: RankingSettings['affinity'] },
  readerId: string,
  now: number,
  limit: number,
): Promise<Map<string, number>> {
  const { rows } = await deps.postgres.query(sql.closest, [
    readerId,
    new Date(now),
    deps.affinity.halfLifeDays * DAY_SECONDS,
    limit,
  ]);
  return new Map(rows.map((row) => [row.user_id, row.score]));
}

/** Signals are kept for so long. */
export const SIGNALS_KEPT_MS = 30 * DAY_SECONDS * 1_000;
/** Rows of one statement, and statements of one run. */
const FORGET_BATCH = 5_000;
const FORGET_BATCHES = 20;

/** Deletes signals of more than 30 days ago: 100,000 at most at each call. */
export function createForgetSignals(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
}): () => Promise<void> {
  const forget = createForget(
    deps.postgres,
    sql.forgetSignals,
    () => new Date(deps.clock.now() - SIGNALS_KEPT_MS),
  );
  return () => forgetInBatches(forget, { batch: FORGET_BATCH, batches: FORGET_BATCHES });
}

/** After so many half-lives a sum counts as 0. */
const HALVINGS_KEPT = 10;
const AFFINITIES_LOOKED_AT = 2_000;

/**
 * Deletes affinities that have faded, among 2,000 that are adjacent at a random place: whatever their number, each is checked
 * again and again.
 *
 * @returns how many
 */
export async function forgetAffinities(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly affinity: RankingSettings['affinity'];
}): Promise<number> {
  const kept = HALVINGS_KEPT * deps.affinity.halfLifeDays * DAY_SECONDS * 1_000;
  const values = [Math.random(), AFFINITIES_LOOKED_AT, new Date(deps.clock.now() - kept)];
  return (await deps.postgres.query(sql.forgetAffinities, values)).rowCount ?? 0;
}
