import { Counter, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../../../platform/clock.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { appendOf } from '../events.js';
import { feedProjections } from '../inline-projections.js';
import type { Media } from '../types.js';
import { type FailureReason, Underivable } from './derive.js';
import { everyKey, incomingKey, isIncoming } from './keys.js';
import { type Made, makeFiles } from './make-files.js';
import { sql } from './process.sql.js';
import type { MediaStore } from './store.js';

const TOUCH_MS = 5_000;
/** Several missed heartbeats. */
export const DEAD_AFTER_SECONDS = 30;
/** An upload that crashes a worker does so again. Pauses grow between attempts, so a store may be away for an hour and a half. */
const MAX_ATTEMPTS = 8;

export interface ProcessDeps {
  readonly postgres: Queryable;
  readonly log: EventLog;
  readonly store: MediaStore;
  readonly metrics: ReturnType<typeof createMediaMetrics>;
  readonly clock: Clock;
  readonly maxVideoSeconds: number;
}

/** An upload that one run has claimed. */
export type Claim = RowOf<typeof sql.claim>;

/** What a run is given: its job, or a test. */
export interface Run {
  readonly correlationId: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Makes the files that readers get of an upload, removes the upload and appends MediaFinished. A run that is killed anywhere
 * is finished by another: files have the same keys each time, and the outcome is in the row before the upload
 * is removed. Where another run has claimed it, nothing happens.
 */
export async function processMedia(deps: ProcessDeps, mediaId: string, run: Run): Promise<void> {
  const { postgres, store } = deps;
  const { rows } = await postgres.query(sql.claim, [mediaId, DEAD_AFTER_SECONDS]);
  const claim = rows[0];
  if (!claim) return;
  const began = deps.clock.now();
  const mine = [claim.media_id, claim.attempts];
  const lost = new AbortController();
  const touching = setInterval(() => {
    // The run stops where another took over, not where the database is away for a moment.
    postgres.query(sql.touch, mine).then(
      ({ rowCount }) => rowCount === 0 && lost.abort(new Error('another run took over')),
      () => undefined,
    );
  }, TOUCH_MS);
  try {
    const outcome = await settle(deps, claim, { ...run, signal: AbortSignal.any([run.signal, lost.signal]) });
    if (!outcome) return;
    const leftovers =
      outcome.failureReason === null
        ? [incomingKey(claim.storage_key)]
        : everyKey(claim.kind, claim.storage_key);
    await store.remove(leftovers);
    await appendFinished(deps, claim, outcome, run);
    deps.metrics.processed(claim.kind, outcome.failureReason, (deps.clock.now() - began) / 1_000);
  } catch (error) {
    if (!run.signal.aborted) throw error;
    await postgres.query(sql.release, mine);
  } finally {
    clearInterval(touching);
  }
}

interface Outcome {
  readonly failureReason: FailureReason | null;
}

/** Writes the outcome of an upload to its row; null where another run took over meanwhile. */
async function settle(deps: ProcessDeps, claim: Claim, run: Run): Promise<Outcome | null> {
  const failureReason = claim.failure_reason;
  if (failureReason !== null || !isIncoming(claim.storage_key)) return { failureReason };
  const made = await attempt(deps, claim, run);
  const { rowCount } = await deps.postgres.query(sql.settle, [
    claim.media_id,
    claim.attempts,
    ...(typeof made === 'string'
      ? [null, null, null, '[]', made]
      : [made.served.key, made.served.width, made.served.height, JSON.stringify(made.renditions), null]),
  ]);
  return rowCount === 0 ? null : { failureReason: typeof made === 'string' ? made : null };
}

async function attempt(deps: ProcessDeps, claim: Claim, run: Run): Promise<Made | FailureReason> {
  if (claim.attempts > MAX_ATTEMPTS) return 'PROCESSING_FAILED';
  try {
    return await makeFiles(deps, claim, run.signal);
  } catch (error) {
    if (!(error instanceof Underivable)) throw error;
    const { reason } = error;
    run.logger.info({ err: error, mediaId: claim.media_id, reason }, 'an upload cannot be processed');
    return reason;
  }
}

/** Safe to repeat: the inline projection skips what is finished. */
async function appendFinished(
  { log }: ProcessDeps,
  claim: Claim,
  { failureReason }: Outcome,
  run: Run,
): Promise<void> {
  const { media_id: mediaId, owner_id: ownerId } = claim;
  const state = failureReason === null ? 'ready' : 'failed';
  const result = await log.append({
    appends: [
      appendOf({ type: 'MediaFinished', data: { mediaId, ownerId, state, failureReason, version: 1 } }),
    ],
    metadata: { correlationId: run.correlationId, causationId: `process-media:${mediaId}`, userId: ownerId },
    inlineProjection: feedProjections.call('finish_media', { mediaId }),
  });
  if (result.kind !== 'accepted') throw new Error(`MediaFinished of ${mediaId}: ${result.kind}`);
}

/** Metrics of the processing of uploads. */
export function createMediaMetrics(registry: Registry) {
  const registers = [registry];
  const processed = new Counter({
    name: 'feed_media_processed_total',
    help: 'Uploads that are ready, or that failed and why',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'feed_media_processing_seconds',
    help: 'What making the files of one upload took',
    labelNames: ['kind'],
    buckets: [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000],
    registers,
  });
  return {
    /** @param took seconds since the run began that ended it */
    processed(kind: Media['kind'], failureReason: FailureReason | null, took: number): void {
      processed.inc({ kind, outcome: failureReason ?? 'ready' });
      seconds.observe({ kind }, took);
    },
  };
}
