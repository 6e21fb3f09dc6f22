import { NIL } from 'uuid';
import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { isUuid } from '../text.js';
import type { Channel } from '../types.js';
import { sql as statements } from './batches.sql.js';

/** Which dead letters to settle: those that are named, or a channel's; of both, those that are named. */
export interface DeadLetterSelection {
  readonly deliveryIds?: readonly string[] | undefined;
  readonly channel?: Channel | undefined;
}

/** What became of dead letters that were to be settled. */
export interface Settlement {
  /** How many this call settled. */
  readonly affected: number;
  /** Those that this call settled: all that were named, or the first `MAX_ANSWERED` of a channel. */
  readonly settled: readonly string[];
  /** Of the named ones, those that were not open: unknown, settled before, or another channel's. */
  readonly skipped: readonly string[];
  /** More are open in the channel than the time allowed: the same call goes on with them. */
  readonly hasMore: boolean;
}

/** Settles the open ones among these and answers them. */
type SettleBatch = (deliveryIds: readonly string[], channel: Channel | null) => Promise<readonly string[]>;

interface BatchesDeps {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Dead letters that one call may name. */
const MAX_NAMED = 1_000;
/** Letters of one transaction: a worker that finishes other deliveries of their requests waits for it. */
const BATCH = 500;
/** Of a channel's letters: as many as a page of a list has at most. */
const MAX_ANSWERED = 100;
/** No batch is begun later than this: the answer must come before whatever stands between gives up waiting. */
const BEGIN_WITHIN_MS = 10_000;

/**
 * Settles what was selected, batch by batch. What is settled stays so, whatever becomes of a later batch.
 *
 * Refused with NO_DEAD_LETTERS or TOO_MANY_DEAD_LETTERS. An empty list means nothing, and never everything: the
 * caller who computed it may have meant to name some.
 */
export async function settleSelected(
  deps: BatchesDeps,
  { viewer, correlationId }: Caller,
  selection: DeadLetterSelection,
  done: 'retried' | 'discarded',
  settle: SettleBatch,
): Promise<Result<Settlement>> {
  const result = selection.deliveryIds
    ? await settleNamed(selection.deliveryIds, selection.channel ?? null, settle)
    : await settleChannel(deps, selection.channel, settle);
  if (!result.ok) return result;
  const { affected, hasMore } = result.value;
  const whose = { by: viewer.userId, channel: selection.channel, correlationId };
  deps.logger.info({ ...whose, affected, hasMore }, `dead letters were ${done}`);
  return result;
}

/** What one transaction takes up at a time. */
export function* eachBatch(deliveryIds: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < deliveryIds.length; at += BATCH) yield deliveryIds.slice(at, at + BATCH);
}

async function settleNamed(
  deliveryIds: readonly string[],
  channel: Channel | null,
  settle: SettleBatch,
): Promise<Result<Settlement>> {
  const path = ['input', 'deliveryIds'];
  if (deliveryIds.length === 0) return refused('NO_DEAD_LETTERS', 'Name at least one dead letter', path);
  if (deliveryIds.length > MAX_NAMED) {
    return refused('TOO_MANY_DEAD_LETTERS', `At most ${MAX_NAMED} dead letters at once`, path);
  }
  // Each once, as the database writes it. What is no id cannot be a dead letter.
  const ids = [...new Set(deliveryIds.filter(isUuid).map((id) => id.toLowerCase()))];
  const settled = new Set<string>();
  for (const batch of eachBatch(ids)) for (const id of await settle(batch, channel)) settled.add(id);
  const skipped = [...new Set(deliveryIds)].filter((id) => !settled.has(id.toLowerCase()));
  return ok({ affected: settled.size, settled: [...settled], skipped, hasMore: false });
}

/** Oldest first, and only what had failed when the call began: one that dies again meanwhile is not its business. */
async function settleChannel(
  { postgres, clock }: BatchesDeps,
  channel: Channel | undefined,
  settle: SettleBatch,
): Promise<Result<Settlement>> {
  if (!channel) return refused('NO_DEAD_LETTERS', 'Name dead letters or a channel', ['input']);
  const until = new Date(clock.now());
  const lastStart = performance.now() + BEGIN_WITHIN_MS;
  let after: readonly [Date | string, string] = ['-infinity', NIL];
  const answered: string[] = [];
  for (let affected = 0; ; ) {
    const { rows } = await postgres.query(statements.openSince, [channel, ...after, until, BATCH + 1]);
    const batch = rows.slice(0, BATCH);
    const ids = batch.map(({ deliveryId }) => deliveryId);
    const settled = ids.length > 0 ? await settle(ids, channel) : [];
    affected += settled.length;
    answered.push(...settled.slice(0, MAX_ANSWERED - answered.length));
    const hasMore = rows.length > BATCH;
    if (!hasMore || performance.now() > lastStart)
      return ok({ affected, settled: answered, skipped: [], hasMore });
    const last = batch.at(-1)!;
    after = [last.failedAt, last.deliveryId];
  }
}
