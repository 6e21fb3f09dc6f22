import type { Clock } from '../../../platform/clock.js';
import type { UserError } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Postgres, Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import type { Queues } from '../../../platform/queues/queues.js';
import { isUnavailable } from '../../../platform/unavailable.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import { type Applied, applyTransitions } from '../delivery/mailbox.js';
import { createOldestDue } from '../delivery/oldest-due.js';
import { stepOf, type Transition } from '../delivery/transition.js';
import { enqueueAllWakeUps, mailboxOf } from '../delivery/wake-up.js';
import { digestOf } from '../digests/gather.js';
import { storeItems } from '../digests/items.js';
import { gatherGroups, type SummaryText, settleGroups } from '../grouping/gather.js';
import { keepPeople, keptPeople } from '../grouping/kept-people.js';
import type { GroupingRules } from '../grouping/rules.js';
import { type DecideDeps, decide } from '../intake/decide.js';
import { type DigestPlace, type Draft, suppress } from '../intake/request.js';
import type { LifecycleStream } from '../lifecycle/stream.js';
import { publishSteps } from '../lifecycle/topic.js';
import { priorities } from '../types.js';
import { sql as statements } from './release.sql.js';

export interface ReleaseDeps extends DecideDeps {
  readonly postgres: Postgres;
  readonly queues: Queues;
  readonly wakeUps: WakeUpPublisher;
  readonly clock: Clock;
  readonly lifecycle: LifecycleStream;
  readonly grouping: GroupingRules;
  readonly logger: Logger;
}

type DueDelivery = RowOf<typeof statements.takeDue> & Partial<SummaryText>;

const BATCH = 200;
/** What cannot be decided is tried again after so long. */
const PUT_OFF_MS = 300_000;

/**
 * Decides deliveries whose time has come, as intake does, and puts them on their way: scheduled ones, those that quiet
 * hours deferred, fallbacks, and those of a group, of which one stands for all. Each is decided by one process of the fleet at a time, and its rows have the outcome in
 * the same transaction: killed at any line, it is decided again or was decided.
 *
 * Those of the highest priority that has any go first. One that cannot be decided is put off for 5 minutes and holds up
 * no other.
 *
 * @returns makes one step, and answers how many there were; none means that no more are due
 */
export function createRelease(deps: ReleaseDeps) {
  // Of all calls it remembers before which instant nothing is due any more.
  const oldestDue = createOldestDue(deps);
  return async (): Promise<{ readonly taken: number; readonly isLast: boolean }> => {
    const now = deps.clock.now();
    const oldest = await Promise.all(priorities.map((priority) => oldestDue('SCHEDULED', priority)));
    let due: readonly DueDelivery[] = [];
    const released = await release(deps, now, async (tx) => {
      due = await takeDue(tx, now, oldest);
      return due;
    }).catch((error: unknown) => {
      if (due.length === 0 || isUnavailable(error)) throw error;
      return null;
    });
    if (released) await announce(deps, released);
    else for (const one of due) await releaseAlone(deps, one, now);
    return { taken: due.length, isLast: due.length === 0 };
  };
}

async function releaseAlone(deps: ReleaseDeps, { deliveryId }: DueDelivery, now: number): Promise<void> {
  const released = await release(
    deps,
    now,
    async (tx) => (await tx.query(statements.takeOne, [new Date(now), deliveryId])).rows,
  ).catch(async (error: unknown) => {
    if (isUnavailable(error)) throw error;
    deps.logger.error({ err: error, deliveryId }, 'a delivery that is due cannot be decided; it is put off');
    await deps.postgres.query(statements.putOff, [deliveryId, new Date(now + PUT_OFF_MS)]);
    return null;
  });
  if (released) await announce(deps, released);
}

interface Released {
  readonly decided: readonly Decided[];
  readonly applied: readonly Applied[];
}

const release = (
  deps: ReleaseDeps,
  now: number,
  take: (tx: Queryable) => Promise<readonly DueDelivery[]>,
): Promise<Released> =>
  deps.postgres.transaction(async (tx) => {
    const taken = await take(tx);
    const expired = taken
      .filter((due) => isExpired(due, now))
      .map((due) => ({ due, transition: expiry(due, now) }));
    const gathered = await gatherGroups(
      tx,
      deps.grouping,
      taken.filter((due) => !isExpired(due, now)),
      now,
    );
    const decided = await decideAll(deps, gathered.toDecide, now);
    const outcomes = new Map(decided.map(({ due, transition }) => [due.deliveryId, transition]));
    const merged = await settleGroups(tx, gathered, outcomes, now);
    const all = [...expired, ...decided, ...merged];
    const transitions = all.map(({ transition }) => transition);
    const applied = await applyTransitions(tx, transitions);
    await storeItems(tx, decided);
    return { decided: all, applied };
  });

async function announce(deps: ReleaseDeps, { decided, applied }: Released): Promise<void> {
  await publishSteps(deps, applied).catch(() => undefined);
  await enqueueAllWakeUps(
    deps.queues,
    decided
      .filter(({ transition }) => transition.status === 'QUEUED')
      .map(({ due }) => ({ mailbox: mailboxOf(due), correlationId: due.correlationId })),
  );
}

async function takeDue(tx: Queryable, now: number, oldest: readonly Date[]): Promise<readonly DueDelivery[]> {
  for (const [index, priority] of priorities.entries()) {
    const values = [new Date(now), priority, BATCH, oldest[index]];
    const { rows } = await tx.query(statements.takeDue, values);
    if (rows.length > 0) return rows;
  }
  return [];
}

interface Decided {
  readonly due: DueDelivery;
  readonly transition: Transition;
  /** The digest that it goes out with. */
  readonly digest?: DigestPlace | undefined;
}

/** Those of one request are decided together. */
async function decideAll(
  deps: ReleaseDeps,
  all: readonly DueDelivery[],
  now: number,
): Promise<readonly Decided[]> {
  const requests = Map.groupBy(all, ({ requestId }) => requestId);
  const decided = await Promise.all([...requests.values()].map((its) => decideOfRequest(deps, its, now)));
  return decided.flat();
}

export const isExpired = ({ expiresAt }: { readonly expiresAt: Date | null }, now: number): boolean =>
  expiresAt !== null && expiresAt.getTime() <= now;

/** What becomes of a delivery whose time was over before it was decided. */
export const expiry = (delivery: Parameters<typeof stepOf>[0], now: number): Transition => ({
  ...stepOf(delivery, now),
  status: 'EXPIRED',
  suppression: 'EXPIRED',
  events: [{ event: 'EXPIRED', status: 'EXPIRED' }],
});

async function decideOfRequest(
  deps: DecideDeps,
  all: readonly DueDelivery[],
  now: number,
): Promise<readonly Decided[]> {
  const drafts = all.map(
    ({ deliveryId, userId, channel, variables, people, isUncounted }, recipient): Draft => ({
      ...{ deliveryId, recipient, userId, channel, ...keptPeople(variables) },
      ...(people && { people }),
      ...(isUncounted && { isUncounted }),
      steps: [],
    }),
  );
  const decided = await decide(deps, all[0]!, drafts, now, unfit);
  const outcome = decided.ok ? decided.value : drafts.map((draft) => unfit(draft, decided.errors[0]!));
  return all.map((due, index) => {
    const draft = outcome[index]!;
    return { due, transition: toTransition(due, draft, now), digest: digestOf(draft) };
  });
}

/** No caller is left to whom a fault could be answered: the delivery's timeline has it. */
export const unfit = (draft: Draft, { code, message }: UserError): Draft =>
  suppress(draft, code === 'TEMPLATE_NOT_FOUND' ? code : 'MISSING_VARIABLE', `${code}: ${message}`);

/** What was decided of a delivery whose row is locked. */
export function toTransition(
  due: Parameters<typeof stepOf>[0] & Partial<Pick<SummaryText, 'group' | 'people' | 'allFallbacks'>>,
  draft: Draft,
  now: number,
): Transition {
  const status = draft.suppression ? 'SUPPRESSED' : draft.dueAt ? 'SCHEDULED' : 'QUEUED';
  return {
    ...stepOf(due, now),
    status,
    events: draft.steps.map((step) => ({ ...step, status })),
    ...(draft.suppression && { suppression: draft.suppression.reason }),
    ...(draft.dueAt && { dueAt: draft.dueAt }),
    ...(draft.content && { content: due.group ? { ...draft.content, group: due.group } : draft.content }),
    ...(draft.address !== undefined && { address: draft.address }),
    ...(due.people && !draft.dueAt && { variables: keepPeople(due.people) }),
    ...(due.allFallbacks && !draft.dueAt && { fallbackChannels: due.allFallbacks }),
  };
}
