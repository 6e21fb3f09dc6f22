import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { LIST_START } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { isUuid } from '../text.js';
import { unknown } from './commands.js';
import { sql as statements } from './deliveries.sql.js';
import { findWebhook } from './find.js';
import type { Webhook } from './webhook.js';

/** After so many deliveries a call ends, with all that were made at the instant of the last one. */
export const MOST_REPLAYED = 10_000;
/** Deliveries of one statement. */
const REPLAYED_AT_ONCE = 1_000;

/** One delivery, or all that were made since a time. */
export interface Replay {
  readonly webhookId: string;
  readonly deliveryId?: string | undefined;
  readonly since?: Date | undefined;
}

export interface Replayed {
  readonly webhook: Webhook;
  readonly queued: number;
  /** The first one that is left was made then: call again with it. */
  readonly nextSince: Date | null;
}

/**
 * Sends again what was queued for a webhook, whether it was taken or not; within a notification in order. It has to be active for that,
 * at once or later.
 *
 * Refused with NOT_FOUND, DELIVERY_NOT_FOUND, or REPLAY_WHAT where neither or both are given.
 */
export async function replayWebhook(
  { postgres, clock }: { readonly postgres: Queryable; readonly clock: Clock },
  caller: Caller,
  { webhookId, deliveryId, since }: Replay,
): Promise<Result<Replayed>> {
  if ((deliveryId === undefined) === (since === undefined))
    return refused('REPLAY_WHAT', 'Give either deliveryId or since', ['input']);
  const webhook = await findWebhook(postgres, caller, webhookId);
  if (!webhook) return unknown;
  if (since) {
    const replayed = await replaySince(postgres, webhook.webhookId, since, new Date(clock.now()));
    return ok({ ...replayed, webhook });
  }
  const found =
    isUuid(deliveryId!) &&
    (await postgres.query(statements.replayOne, [webhook.webhookId, deliveryId])).rows.length > 0;
  return found
    ? ok({ queued: 1, nextSince: null, webhook })
    : refused('DELIVERY_NOT_FOUND', 'The webhook has no such delivery', ['input', 'deliveryId']);
}

/**
 * An instant is replayed as a whole: all that one statement queues has the same, and a call goes on from an instant. A request of a
 * thousand recipients makes 15,000 of one.
 *
 * @param until what is made from then on is sent anyway
 */
async function replaySince(
  postgres: Queryable,
  webhookId: string,
  since: Date,
  until: Date,
): Promise<Omit<Replayed, 'webhook'>> {
  let queued = 0;
  let end = until;
  let after: readonly [Date, string] = [since, LIST_START.backward[1]];
  while (true) {
    const values = [webhookId, ...after, end, REPLAYED_AT_ONCE];
    const [page] = (await postgres.query(statements.replayPage, values)).rows;
    queued += page?.count ?? 0;
    if (!page?.lastAt || !page.lastId || page.count < REPLAYED_AT_ONCE) break;
    after = [page.lastAt, page.lastId];
    if (queued >= MOST_REPLAYED) end = page.lastAt;
  }
  if (end === until) return { queued, nextSince: null };
  const [next] = (await postgres.query(statements.madeNext, [webhookId, end, until])).rows;
  return { queued, nextSince: next?.createdAt ?? null };
}
