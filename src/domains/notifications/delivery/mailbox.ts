import { groupCommit } from '../../../platform/group-commit.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { tracer } from '../../../platform/tracing/tracing.js';
import { type DeliverySteps, sortEvents } from '../lifecycle/steps.js';
import { type Priority, priorities } from '../types.js';
import type { ClaimedDelivery } from './claimed.js';
import { createLowerBounds } from './lower-bounds.js';
import { sql as statements } from './mailbox.sql.js';
import type { Mailbox } from './tasks.js';
import type { Transition } from './transition.js';

/**
 * What asking for the head of a mailbox gives.
 * - `held`: another worker has it on lease. If it lives it goes on with the rest; if it was killed, no worker does until the
 *   lease ends, `forMs` milliseconds from now. The token is absent where that worker is just at it, without a lease.
 */
export type Claim =
  | { readonly kind: 'claimed'; readonly delivery: ClaimedDelivery }
  | { readonly kind: 'held'; readonly leaseToken: string | null; readonly forMs: number }
  | { readonly kind: 'empty' };

/** What an applied transition brought with it. */
export interface Applied {
  readonly deliveryId: string;
  readonly requestId: string;
  /** A delivery on the next fallback channel was made, and is due. */
  readonly hasFallback: boolean;
  /** Its own, and those of a fallback; to be published once they are committed. */
  readonly steps: readonly DeliverySteps[];
}

/** The deliveries that wait in Postgres. What is asked at once is asked together, each priority for itself. */
export interface Mailboxes {
  /** Leases the first delivery of a mailbox. */
  claim(mailbox: Mailbox): Promise<Claim>;
  /**
   * Makes a step of the life of a mailbox's head, with all that belongs to it.
   *
   * @returns null where the lease is not held any more: then nothing was written
   */
  finish(mailbox: Mailbox, transition: Transition): Promise<Finished | null>;
}

/** An applied transition of a mailbox's head. */
export interface Finished extends Applied {
  /** More waits in the mailbox, of which a worker was woken that found this head leased. */
  readonly isFollowed: boolean;
}

interface Finishing {
  readonly mailbox: Mailbox;
  readonly transition: Transition;
}

type ClaimRow = RowOf<typeof statements.claim> &
  (ClaimedDelivery | { readonly deliveryId: null; readonly heldBy: string | null; readonly heldMs: number });

/** Heads or transitions of one call. */
const CALL_SIZE = 200;
/** While Postgres works on one, the next is put together. */
const CALLS_AT_ONCE = 2;

/**
 * @param leaseMs longer than any provider call may take
 * @param onApplied called with what each call applied
 * @param monotonicMs milliseconds of a clock that nobody sets
 */
export function createMailboxes(
  postgres: Queryable,
  ids: Ids,
  leaseMs: number,
  onApplied: (applied: readonly Applied[]) => void,
  monotonicMs: () => number = () => performance.now(),
): Mailboxes {
  const bounds = createLowerBounds<bigint>(monotonicMs);

  async function claimAll(mailboxes: readonly Mailbox[]): Promise<readonly Claim[]> {
    const { rows } = await postgres.query(statements.claim, [
      mailboxes.map(({ userId }) => userId),
      mailboxes.map(({ queue }) => queue.channel),
      mailboxes.map(({ queue }) => queue.priority),
      mailboxes.map(() => ids.next()),
      leaseMs,
      mailboxes.map((mailbox) => bounds.of(keyOf(mailbox))?.toString() ?? null),
    ]);
    const claims: Claim[] = mailboxes.map(() => ({ kind: 'empty' }));
    const traces = await tracesOf(postgres, rows as readonly ClaimRow[]);
    for (const row of rows as readonly ClaimRow[]) {
      bounds.saw(keyOf(mailboxes[row.n - 1]!), BigInt(row.sequence));
      claims[row.n - 1] = toClaim(row, traces);
    }
    return claims;
  }

  async function finishAll(all: readonly Finishing[]): Promise<readonly (Finished | null)[]> {
    const { rows } = await postgres.query(statements.finish, [
      JSON.stringify(all.map(({ transition }) => transition)),
      all.map(({ transition }) => transition.deliveryId),
      all.map(({ mailbox }) => mailbox.userId),
      all.map(({ mailbox }) => mailbox.queue.channel),
      all.map(({ mailbox }) => mailbox.queue.priority),
      all.map(({ mailbox }) => bounds.known(keyOf(mailbox))?.toString() ?? null),
    ]);
    const byId = new Map(rows.map((row) => [row.deliveryId, row]));
    const finished = all.map(({ transition }) => {
      const row = byId.get(transition.deliveryId);
      if (!row) return null;
      const { isFollowed, ...applied } = row;
      return { ...toApplied(applied, transition), isFollowed };
    });
    onApplied(finished.filter((one) => one !== null));
    return finished;
  }

  const claimers = eachPriority(() =>
    groupCommit<Mailbox, Claim>({
      commit: claimAll,
      maxItems: CALL_SIZE,
      callsAtOnce: CALLS_AT_ONCE,
      keyOf,
    }),
  );
  const finishers = eachPriority(() =>
    groupCommit<Finishing, Finished | null>({
      commit: finishAll,
      maxItems: CALL_SIZE,
      callsAtOnce: CALLS_AT_ONCE,
      keyOf: ({ transition }) => transition.deliveryId,
    }),
  );
  return {
    claim: (mailbox) => claimers[mailbox.queue.priority](mailbox),
    finish: (mailbox, transition) => finishers[mailbox.queue.priority]({ mailbox, transition }),
  };
}

/** A name that each mailbox has for itself. */
export const keyOf = ({ queue, userId }: Mailbox): string => `${queue.name}/${userId}`;

/** High never waits in a call of low. */
const eachPriority = <Commit>(make: () => Commit): Readonly<Record<Priority, Commit>> =>
  Object.fromEntries(priorities.map((priority) => [priority, make()])) as Record<Priority, Commit>;

type Traces = ReadonlyMap<string, string>;
const NO_TRACES: Traces = new Map();

/** The trace contexts of claimed deliveries, by request. What was claimed is sent without them, too. */
async function tracesOf(postgres: Queryable, claims: readonly ClaimRow[]): Promise<Traces> {
  if (!tracer()) return NO_TRACES;
  const requestIds = claims.flatMap((row) => (row.deliveryId === null ? [] : [row.requestId]));
  if (requestIds.length === 0) return NO_TRACES;
  const found = await postgres.query(statements.tracesOf, [requestIds]).catch(() => undefined);
  return new Map(found?.rows.map(({ requestId, traceparent }) => [requestId, traceparent]));
}

function toClaim(row: ClaimRow, traces: Traces): Claim {
  if (row.deliveryId !== null) {
    const traceparent = traces.get(row.requestId);
    return { kind: 'claimed', delivery: traceparent === undefined ? row : { ...row, traceparent } };
  }
  return { kind: 'held', leaseToken: row.heldBy, forMs: Math.max(0, row.heldMs) };
}

/** Applies those transitions whose conditions hold, in one statement. Answers those applied. */
export async function applyTransitions(
  postgres: Queryable,
  transitions: readonly Transition[],
): Promise<readonly Applied[]> {
  if (transitions.length === 0) return [];
  const { rows } = await postgres.query(statements.apply, [JSON.stringify(transitions)]);
  const byId = new Map(transitions.map((transition) => [transition.deliveryId, transition]));
  return rows.map((row) => toApplied(row, byId.get(row.deliveryId)!));
}

function toApplied(row: RowOf<typeof statements.apply>, { at, events }: Transition): Applied {
  const { hasFallback, since, fallbackId, fallbackChannel, templateId, ...delivery } = row;
  const { deliveryId, requestId } = delivery;
  // No event was made, neither its own nor a fallback's: there is nothing to publish.
  if (templateId === null) return { deliveryId, requestId, hasFallback, steps: [] };
  const own = {
    ...delivery,
    templateId,
    at: at.getTime(),
    latencyMs: Math.max(0, at.getTime() - since.getTime()),
    ...sortEvents(events),
  };
  const steps =
    fallbackId !== null && fallbackChannel !== null
      ? [own, { ...own, ...begun, deliveryId: fallbackId, channel: fallbackChannel }]
      : [own];
  return { deliveryId, requestId, hasFallback, steps };
}

/** How the life of a fallback begins. */
const begun = { latencyMs: 0, events: ['CREATED', 'VALIDATED'], suspected: [] } as const;
