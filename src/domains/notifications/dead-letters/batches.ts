import type { Clock } from '../../../platform/clock.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Channel } from '../types.js';
import { sql as statements } from './batches.sql.js';
import { type CheckedSelection, storedIds } from './selection.js';

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
export type SettleBatch = (
  deliveryIds: readonly string[],
  channel: Channel | null,
) => Promise<readonly string[]>;

/** Letters of one transaction: a worker that finishes other deliveries of their requests waits for it. */
const BATCH = 500;
/** Of a channel's letters: as many as a page of a list has at most. */
const MAX_ANSWERED = 100;
/** No batch is begun later than this: the answer must come before whatever stands between gives up waiting. */
const BEGIN_WITHIN_MS = 10_000;

/** Settles what was selected, batch by batch. What is settled stays so, whatever becomes of a later batch. */
export function settleInBatches(
  deps: { readonly postgres: Queryable; readonly clock: Clock },
  selection: CheckedSelection,
  settle: SettleBatch,
): Promise<Settlement> {
  return selection.kind === 'named' ? settleNamed(selection, settle) : settleChannel(deps, selection, settle);
}

/** What one transaction takes up at a time. */
export function* eachBatch(deliveryIds: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < deliveryIds.length; at += BATCH) yield deliveryIds.slice(at, at + BATCH);
}

async function settleNamed(
  { deliveryIds, channel }: Extract<CheckedSelection, { kind: 'named' }>,
  settle: SettleBatch,
): Promise<Settlement> {
  const ids = storedIds(deliveryIds);
  const settled = new Set<string>();
  for (const batch of eachBatch(ids)) for (const id of await settle(batch, channel)) settled.add(id);
  const skipped = [...new Set(deliveryIds)].filter((id) => !settled.has(id.toLowerCase()));
  return { affected: settled.size, settled: [...settled], skipped, hasMore: false };
}

/** Oldest first, and only what had failed when the call began: one that dies again meanwhile is not its business. */
async function settleChannel(
  { postgres, clock }: { readonly postgres: Queryable; readonly clock: Clock },
  { channel }: Extract<CheckedSelection, { kind: 'channel' }>,
  settle: SettleBatch,
): Promise<Settlement> {
  const until = new Date(clock.now());
  const lastStart = performance.now() + BEGIN_WITHIN_MS;
  let after: readonly [Date | string, string] = ['-infinity', '00000000-0000-0000-0000-000000000000'];
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
      return { affected, settled: answered, skipped: [], hasMore };
    const last = batch.at(-1)!;
    after = [last.failedAt, last.deliveryId];
  }
}
