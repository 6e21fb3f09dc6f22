import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { createLookBack } from '../../../platform/look-back.js';
import type { Postgres, Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import type { Queues } from '../../../platform/queues/queues.js';
import { isUnavailable } from '../../../platform/unavailable.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import { type Applied, applyTransitions } from '../delivery/mailbox.js';
import { enqueueAllWakeUps, mailboxOf } from '../delivery/wake-up.js';
import { acceptAll, firstSteps } from '../intake/accept.js';
import { isSettled } from '../intake/request.js';
import type { LifecycleStream } from '../lifecycle/stream.js';
import { publishSteps } from '../lifecycle/topic.js';
import {
  type DecideDigestDeps,
  type DecidedDigest,
  DIGESTS_PRODUCER,
  type DueDigest,
  decideDigest,
} from './decide.js';
import { takeFromDigests } from './items.js';
import { sql as statements } from './items.sql.js';

export interface SendDigestsDeps extends DecideDigestDeps {
  readonly postgres: Postgres;
  readonly queues: Queues;
  readonly wakeUps: WakeUpPublisher;
  readonly clock: Clock;
  readonly lifecycle: LifecycleStream;
  readonly logger: Logger;
}

type Due = RowOf<typeof statements.due>;

/** Of one step. A digest with more items than this goes out in several. */
const DIGESTS = 100;
const ITEMS = 1_000;
/** What cannot be decided is tried again after so long. */
const PUT_OFF_MS = 300_000;

/**
 * Sends digests that are due, the longest overdue first. In one transaction a digest is decided as intake decides, accepted
 * as intake accepts, and its items are gone: killed at any line, a process has sent it, or another does. What comes
 * to a digest while it is sent goes out by itself afterwards. One that cannot be decided is put off for 5 minutes and holds up
 * no other.
 *
 * @returns makes one step, and answers how many digests it had, and whether none is left that nobody else has
 */
export function createSendDigests(deps: SendDigestsDeps) {
  const lookBack = createLookBack(() => deps.clock.now());
  return async (correlationId: string): Promise<{ readonly taken: number; readonly isLast: boolean }> => {
    const now = deps.clock.now();
    const due = await lookBack.look(
      (backMs) => findDue(deps.postgres, now, backMs),
      (found) => found.length === 0,
    );
    const taken = due.length === 0 ? 0 : await sendAll(deps, due, now, correlationId);
    return { taken, isLast: taken === 0 };
  };
}

async function findDue(postgres: Queryable, now: number, backMs: number | null): Promise<readonly Due[]> {
  const { rows } = await postgres.query(statements.due, [new Date(now), backMs, ITEMS]);
  const isCut = rows.reduce((sum, { items }) => sum + items, 0) === ITEMS && rows.length > 1;
  return (isCut ? rows.slice(0, -1) : rows).slice(0, DIGESTS);
}

async function sendAll(
  deps: SendDigestsDeps,
  due: readonly Due[],
  now: number,
  correlationId: string,
): Promise<number> {
  const taken = await sendTogether(deps, due, now, correlationId).catch((error: unknown) => {
    if (isUnavailable(error)) throw error;
    return null;
  });
  if (taken !== null) return taken;
  for (const one of due) {
    await sendTogether(deps, [one], now, correlationId).catch(async (error: unknown) => {
      if (isUnavailable(error)) throw error;
      const { digestId } = one;
      deps.logger.error({ err: error, digestId }, 'a digest that is due cannot be decided; it is put off');
      const items = await itemsOf(deps.postgres, [one]);
      await putOff(
        deps.postgres,
        [...items.keys()].map((deliveryId) => ({ deliveryId, until: now + PUT_OFF_MS })),
      );
    });
  }
  return due.length;
}

/** @returns how many of them nobody else had */
async function sendTogether(
  deps: SendDigestsDeps,
  due: readonly Due[],
  now: number,
  correlationId: string,
): Promise<number> {
  const sent = await deps.postgres.transaction(async (tx) => {
    const taken = await take(tx, due);
    const decided = await Promise.all(
      taken.digests.map((digest) => decideDigest(deps, digest, { now, correlationId })),
    );
    return { count: taken.count, decided, applied: await write(tx, taken, decided) };
  });
  await announce(deps, sent.decided, sent.applied, correlationId);
  return sent.count;
}

interface Taken {
  readonly count: number;
  /** All that have a place in them, also what does not wait any more. */
  readonly deliveryIds: readonly string[];
  readonly digests: readonly DueDigest[];
}

/** Of the digests those that nobody else is sending, each with its items. */
async function take(tx: Queryable, due: readonly Due[]): Promise<Taken> {
  const { rows: free } = await tx.query(statements.lock, [due.map(({ digestId }) => digestId)]);
  const ids = free.map(({ digestId }) => digestId);
  const digestOfItem = await itemsOf(
    tx,
    due.filter(({ digestId }) => ids.includes(digestId)),
  );
  const deliveryIds = [...digestOfItem.keys()];
  const { rows: items } = await tx.query(statements.lockGathered, [deliveryIds]);
  const { rows: used } = await tx.query(statements.usedIds, [DIGESTS_PRODUCER, ids]);
  const begun = new Set(used.map(({ notificationId }) => notificationId));
  const byDigest = Map.groupBy(items, ({ deliveryId }) => digestOfItem.get(deliveryId)!);
  const digests = [...byDigest].map(([digestId, its]) => ({
    digestId,
    items: its,
    isRest: begun.has(digestId),
  }));
  return { count: ids.length, deliveryIds, digests };
}

/** The digest of each item. */
async function itemsOf(postgres: Queryable, due: readonly Due[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await postgres.query(statements.itemsOf, [
    due.map(({ digestId }) => digestId),
    due.map(({ dueAt }) => dueAt),
    ITEMS,
  ]);
  return new Map(rows.map(({ deliveryId, digestId }) => [deliveryId, digestId]));
}

async function write(
  tx: Queryable,
  { deliveryIds, digests }: Taken,
  decided: readonly DecidedDigest[],
): Promise<readonly Applied[]> {
  for (const accepted of await acceptAll(
    tx,
    decided.flatMap(({ accepts }) => accepts),
  ))
    if (!accepted.ok || !accepted.value.fresh) throw new Error('a digest was accepted before');
  const transitions = decided.flatMap((one) => one.transitions.map(({ transition }) => transition));
  const applied = await applyTransitions(tx, transitions);
  const left = new Set(transitions.map(({ deliveryId }) => deliveryId));
  const waiting = decided.flatMap(({ putOffUntil: until }, index) =>
    until === undefined
      ? []
      : digests[index]!.items.filter(({ deliveryId }) => !left.has(deliveryId)).map(({ deliveryId }) => ({
          deliveryId,
          until,
        })),
  );
  await putOff(tx, waiting);
  const stays = new Set(waiting.map(({ deliveryId }) => deliveryId));
  await takeFromDigests(
    tx,
    deliveryIds.filter((deliveryId) => !stays.has(deliveryId)),
  );
  return applied;
}

async function putOff(
  postgres: Queryable,
  waiting: readonly { readonly deliveryId: string; readonly until: number }[],
): Promise<void> {
  if (waiting.length === 0) return;
  await postgres.query(statements.putOff, [
    waiting.map(({ deliveryId }) => deliveryId),
    waiting.map(({ until }) => new Date(until)),
  ]);
}

/** Publishes what is committed, and enqueues what is to be sent. */
async function announce(
  deps: SendDigestsDeps,
  decided: readonly DecidedDigest[],
  applied: readonly Applied[],
  correlationId: string,
): Promise<void> {
  const accepted = decided.flatMap(({ accepts }) => accepts);
  deps.lifecycle.publish(
    accepted.flatMap(({ request, response, drafts, now }) =>
      firstSteps(request, response.requestId, drafts, now),
    ),
  );
  await publishSteps(deps, applied).catch(() => undefined);
  const together = accepted
    .flatMap(({ drafts, request }) => drafts.map((draft) => ({ ...draft, priority: request.priority })))
    .filter((draft) => !isSettled(draft))
    .map((draft) => ({ mailbox: mailboxOf(draft), correlationId }));
  const alone = decided
    .flatMap(({ transitions }) => transitions)
    .filter(({ transition }) => transition.status === 'QUEUED')
    .map(({ item }) => ({ mailbox: mailboxOf(item), correlationId: item.correlationId }));
  await enqueueAllWakeUps(deps.queues, [...together, ...alone]);
}
