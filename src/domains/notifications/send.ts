import type { Caller } from '../../platform/auth/caller.js';
import type { Clock } from '../../platform/clock.js';
import { withinMs } from '../../platform/deadline.js';
import { ok, type Result, refused } from '../../platform/errors.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { Postgres } from '../../platform/postgres/postgres.js';
import type { Queues } from '../../platform/queues/queues.js';
import { releaseDue } from './delivery/tasks.js';
import { mailboxOf } from './delivery/wake-up.js';
import { digestOf } from './digests/gather.js';
import type { GroupingRules } from './grouping/rules.js';
import { createAccept } from './intake/accept.js';
import { type DecideDeps, decide, hold, type Schedule } from './intake/decide.js';
import { createDedup, fingerprint } from './intake/dedup.js';
import {
  type Acceptance,
  type Draft,
  draftDeliveries,
  isSettled,
  type SendRequest,
  type Suppression,
} from './intake/request.js';
import { type CheckedRequest, PASSED, validate } from './intake/validate.js';
import { createWakeAccepted } from './intake/wake-accepted.js';
import type { LifecycleStream } from './lifecycle/stream.js';
import type { Priority } from './types.js';

export interface SendDeps extends DecideDeps {
  readonly postgres: Postgres;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly lifecycle: LifecycleStream;
  readonly grouping: GroupingRules;
  /** Sends anew what was given up of a request. */
  readonly retryDead: (requestId: string, correlationId: string) => Promise<void>;
}

/**
 * Accepts a producer's request: once this answers, its deliveries are in Postgres and will be made. The same
 * notification id and body again, also at once, answers the first result, and sends anew only what was given up.
 *
 * Refused, with nothing stored, with what `validate` refuses, NOTIFICATION_ID_REUSED, TEMPLATE_NOT_FOUND or what
 * `renderDrafts` refuses; and with NOTHING_TO_SEND where every recipient was left out: the id stays free, and what was decided
 * can be read like any request, unless `isUntraced`.
 */
export type Send = (
  caller: Caller,
  request: SendRequest,
  options?: { readonly isUntraced?: boolean },
) => Promise<Result<Acceptance>>;

export function createSend(deps: SendDeps): Send {
  const { clock, ids } = deps;
  const dedup = createDedup(deps.postgres);
  const accept = createAccept(deps.postgres, deps.lifecycle);
  const wakeAccepted = createWakeAccepted(deps.queues, deps.logger);

  return async (caller, request, options) => {
    const now = clock.now();
    const producer = caller.viewer.userId;
    const { notificationId } = request;

    const checked = validate(request, now);
    // A repeat may come after the request's expiry: what was accepted stays accepted.
    if (!checked.ok && !checked.errors.every(({ code }) => PASSED.includes(code))) return checked;
    const claimed = { producer, notificationId, fingerprint: fingerprint(request) };
    const earlier = await dedup(claimed, now);
    if (earlier) return repeat(caller, earlier);
    if (!checked.ok) return checked;

    const { drafts, duplicates } = draftDeliveries(checked.value.recipients, ids);
    const grouping = checked.value.group ? deps.grouping(checked.value.type) : null;
    const notification = { ...checked.value, producer, ...(grouping && { isGrouped: true as const }) };
    const schedule = scheduleOf(checked.value, now);
    const decided = schedule
      ? await hold(deps, notification, drafts, schedule, now)
      : await decide(deps, notification, drafts, now);
    if (!decided.ok) return decided;

    const response = toAcceptance(checked.value, decided.value, duplicates, ids.next(), now);
    const acceptable = {
      producer,
      correlationId: caller.correlationId,
      request: checked.value,
      fingerprint: claimed.fingerprint,
      drafts: decided.value,
      response,
      now,
      grouping,
    };
    if (decided.value.every(isForNobody)) {
      if (!options?.isUntraced) await accept({ ...acceptable, isRefused: true });
      return nothingToSend(response);
    }
    const accepted = await accept(acceptable);
    if (!accepted.ok) return accepted;
    if (!accepted.value.fresh) return repeat(caller, ok(accepted.value.response));
    const { priority } = checked.value;
    if (grouping) await releaseSoon(deps, caller.correlationId);
    const queued = decided.value.filter((draft) => !isSettled(draft));
    await wakeAccepted(
      queued.map(({ userId, channel }) => mailboxOf({ userId, channel, priority })),
      caller.correlationId,
    );
    return ok(accepted.value.response);
  };

  async function repeat(caller: Caller, first: Result<Acceptance>): Promise<Result<Acceptance>> {
    if (first.ok) await deps.retryDead(first.value.requestId, caller.correlationId);
    return first;
  }
}

/** When a request is to be decided; null where that is now. One in local time may be for some of its recipients. */
const scheduleOf = ({ scheduleAt, scheduleInLocalTime }: CheckedRequest, now: number): Schedule | null =>
  scheduleAt && (scheduleInLocalTime || scheduleAt.getTime() > now)
    ? { scheduleAt, scheduleInLocalTime }
    : null;

/** Left out for good: what goes with a digest is accepted. */
const isForNobody = (draft: Draft): boolean => draft.suppression !== undefined && !digestOf(draft);

/** How long an answer may wait for Redis. */
const RELEASE_WITHIN_MS = 1_000;

/** What is grouped is due at once. Never rejects: without the job it is released within a second. */
async function releaseSoon({ queues, logger }: SendDeps, correlationId: string): Promise<void> {
  const enqueued = queues.enqueue(releaseDue, {}, { correlationId, deduplicationId: 'due' });
  await withinMs(RELEASE_WITHIN_MS, enqueued).catch((error: unknown) =>
    logger.warn(
      { err: error, correlationId },
      'the job that releases what is due could not be enqueued; the schedule does it',
    ),
  );
}

function nothingToSend({ suppressed }: Acceptance): Result<never> {
  const reasons = [...new Set(suppressed.map(({ reason }) => reason))].join(', ');
  const details = [...new Set(suppressed.flatMap(({ detail }) => detail ?? []))].slice(0, 3).join('; ');
  const because = details ? `${reasons}: ${details}` : reasons;
  return refused('NOTHING_TO_SEND', `Every recipient was left out (${because})`, ['input', 'recipients']);
}

/** Seconds within which each priority promises to arrive (notification document, limits). */
const PROMISED_SECONDS: Readonly<Record<Priority, number>> = { high: 1, medium: 30, low: 300 };

/** What the producer is answered once the drafts are stored. */
export function toAcceptance(
  request: { readonly priority: Priority },
  drafts: readonly Draft[],
  duplicates: readonly Suppression[],
  requestId: string,
  now: number,
): Acceptance {
  const leftOut = drafts.flatMap(({ userId, channel, suppression }) =>
    suppression ? [{ userId, channel, ...suppression }] : [],
  );
  const startsAt = startOf(
    drafts.filter((draft) => !isForNobody(draft)),
    now,
  );
  return {
    requestId,
    status: 'accepted',
    notificationsQueued: drafts.length - leftOut.length,
    estimatedDelivery: new Date(startsAt + PROMISED_SECONDS[request.priority] * 1000).toISOString(),
    suppressed: [...leftOut, ...duplicates],
  };
}

/** When the first of them goes: a schedule defers all of them, and quiet hours or a digest may. */
const startOf = (drafts: readonly Draft[], now: number): number =>
  drafts.length === 0
    ? now
    : drafts.reduce((first, draft) => Math.min(first, goesAt(draft, now)), Number.POSITIVE_INFINITY);

const goesAt = (draft: Draft, now: number): number =>
  (digestOf(draft)?.dueAt ?? draft.dueAt)?.getTime() ?? now;
