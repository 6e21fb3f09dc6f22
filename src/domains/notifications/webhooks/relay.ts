import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { isTaken, judge, type Outcome, pauseMs } from './attempt.js';
import { type CurrentReceiver, createCurrentReceiver } from './current-receiver.js';
import type { Disable } from './disable.js';
import { bodyOf, headersOf } from './message.js';
import type { WebhookMetrics } from './metrics.js';
import { ANSWER_MS, type Post } from './post.js';
import type { Claimed, NextEvent, Receiver, RelayStore } from './relay-store.js';
import type { SecretKeeper } from './secrets.js';

/** Requests to one receiver at once: to one that takes nothing, one. */
const AT_ONCE = 20;
/** Events of a subject that one claim reads. */
const EVENTS_A_CLAIM = 20;
/** For so long events of a claim are begun; the last one of them may take as long as any, and its lease is longer. */
const SENDING_MS = 10_000;
const LEASE_MS = SENDING_MS + ANSWER_MS + 5_000;
/** Failures in a row, of whatever events, after which a receiver is left alone for a while. */
const FAILURES_IN_A_ROW = 5;
/** After so long a run ends, and its webhook waits for its turn like any other. */
const RUN_MS = 30_000;

export interface RelayDeps {
  readonly store: RelayStore;
  readonly post: Post;
  /** Absent where the configuration has no key. */
  readonly secrets: SecretKeeper | null;
  readonly disable: Disable;
  readonly clock: Clock;
  readonly metrics: WebhookMetrics;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

interface Run {
  readonly webhookId: string;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly settle: ReturnType<RelayStore['settling']>;
  readonly receiver: CurrentReceiver;
  /** Failures since an event was last taken, of the webhook as it is since `activeSince`. */
  failures: number;
  activeSince: number;
  /** Nothing more is claimed. */
  isOver: boolean;
}

/**
 * Sends what is due for one webhook: one request an event, the events of one subject (a notification, a stream of the log) in order and
 * one after the other, those of many subjects at once. It returns once nothing is due, the receiver is left alone, or after half
 * a minute.
 *
 * An event is sent at least once: again where its process dies between the answer and the record of it, or where its lease ends. The
 * next event of its subject is sent only once it is recorded that this one was taken.
 */
export async function drainWebhook(
  deps: RelayDeps,
  webhookId: string,
  { signal, logger }: { readonly signal: AbortSignal; readonly logger: Logger },
): Promise<void> {
  const { store } = deps;
  const token = randomUUID();
  const settle = store.settling(webhookId, token);
  const receiver = createCurrentReceiver(() => store.receiver(webhookId));
  const counts = { failures: 0, activeSince: 0, isOver: false };
  const run: Run = { webhookId, token, signal, logger, settle, receiver, ...counts };
  const endsAt = performance.now() + RUN_MS;
  const sending = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    while (!signal.aborted && !run.isOver && failures.length === 0 && performance.now() < endsAt) {
      const current = await receiverOf(run);
      if (!current) break;
      const atOnce = current.pauses > 0 ? 1 : AT_ONCE;
      const claimed = sending.size > atOnce / 2 ? [] : await claim(deps, run, atOnce - sending.size);
      for (const one of claimed) {
        const work: Promise<void> = sendSubject(deps, run, one)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => sending.delete(work));
        sending.add(work);
      }
      if (sending.size === 0) break;
      await Promise.race(sending);
    }
  } finally {
    await Promise.all(sending);
  }
  // What was not settled is claimed again when its lease ends.
  if (failures.length > 0) throw failures[0];
}

/** Where the next event goes. */
async function receiverOf(run: Run): Promise<Receiver | undefined> {
  const receiver = await run.receiver.get();
  const activeSince = receiver?.activeSince.getTime() ?? run.activeSince;
  if (run.activeSince !== activeSince) Object.assign(run, { activeSince, failures: 0 });
  return receiver;
}

/** A subject with its next events, in order, and until when they may be begun. */
interface Batch {
  readonly claimed: Claimed;
  readonly events: readonly NextEvent[];
  readonly until: number;
}

async function claim(
  { store }: RelayDeps,
  { webhookId, token }: Run,
  limit: number,
): Promise<readonly Batch[]> {
  const until = performance.now() + SENDING_MS;
  const claimed = await store.claim(webhookId, limit, LEASE_MS, token);
  if (claimed.length === 0) return [];
  const subjects = claimed.map(({ subject }) => subject);
  const waiting = await store.waiting(webhookId, subjects, EVENTS_A_CLAIM);
  return claimed.map((one) => ({ claimed: one, events: waiting.get(one.subject) ?? [], until }));
}

async function sendSubject(deps: RelayDeps, run: Run, batch: Batch): Promise<void> {
  const { claimed, events, until } = batch;
  const { subject, additions } = claimed;
  let { attempts, failingSince } = claimed;
  for (const event of events) {
    const past = { subject, attempts, failingSince };
    const mayBegin = !run.isOver && !run.signal.aborted && performance.now() <= until;
    const receiver = mayBegin ? await receiverOf(run) : undefined;
    if (!receiver) return run.settle({ ...past, additions: null, dueMs: 0 });
    const hasIt = await sendEvent(deps, run, receiver, past, event).catch((error: unknown) => {
      if (!run.signal.aborted) throw error;
      return undefined;
    });
    // The process shuts down: nobody knows whether it was taken, and it is sent again.
    if (hasIt === undefined) return run.settle({ ...past, additions: null, dueMs: 0 });
    if (!hasIt) return;
    [attempts, failingSince] = [0, null];
  }
  const isAll = events.length < EVENTS_A_CLAIM;
  await run.settle({ subject, additions: isAll ? additions : null, dueMs: 0, attempts, failingSince });
}

/** Makes one attempt, records it, and, where the event was not taken, settles its subject. */
async function sendEvent(
  deps: RelayDeps,
  run: Run,
  receiver: Receiver,
  past: Pick<Claimed, 'subject' | 'attempts' | 'failingSince'>,
  event: NextEvent,
): Promise<boolean> {
  const { store, clock, metrics } = deps;
  const { deliveryId } = event;
  const reply = await request(deps, run, receiver, event);
  // What others have done to it while the attempt was under way counts.
  const state = isTaken(reply) ? receiver : await store.failureState(receiver);
  const now = clock.now();
  const [attempts, failingSince] = failuresOf(past, receiver, now);
  const nothingTakenSince = state?.failingSince?.getTime() ?? null;
  const outcome = judge(reply, { attempts, failingSince, nothingTakenSince }, now, deps.random());
  metrics.attempted(outcome.kind);
  await store.record({
    deliveryId,
    isTaken: outcome.kind === 'taken',
    status: reply.kind === 'answer' ? reply.status : null,
    answer: reply.kind === 'answer' ? reply.body : null,
    error: outcome.kind === 'taken' ? null : outcome.error,
    nextMs: !state ? 0 : outcome.kind === 'retry' ? outcome.delayMs : null,
  });
  if (outcome.kind === 'taken') {
    metrics.delivered(now - event.happenedAt.getTime());
    if (receiver.pauses > 0) {
      await store.goOn(receiver);
      run.receiver.forget();
    }
    run.failures = 0;
    return true;
  }
  const { subject } = past;
  if (state) {
    // Where it was paused meanwhile, or took something, an attempt from before adds nothing to that.
    const isAsBefore = state.pauses === receiver.pauses;
    await fail(deps, run, receiver, { subject, attempts, failingSince, isAsBefore }, outcome);
  } else {
    // It started afresh while the attempt was under way, which says nothing of what it is now.
    run.receiver.forget();
    await run.settle({ subject, additions: null, dueMs: 0, attempts: 0, failingSince: null });
  }
  return false;
}

/** Settles the subject of an event that was not taken, with what that means for its webhook. */
async function fail(
  deps: RelayDeps,
  run: Run,
  receiver: Receiver,
  past: {
    readonly subject: string;
    readonly attempts: number;
    readonly failingSince: number;
    readonly isAsBefore: boolean;
  },
  outcome: Exclude<Outcome, { kind: 'taken' }>,
): Promise<void> {
  await run.settle({
    subject: past.subject,
    additions: null,
    dueMs: outcome.kind === 'retry' ? outcome.delayMs : 0,
    attempts: past.attempts + 1,
    failingSince: new Date(past.failingSince),
  });
  if (outcome.kind === 'disable') {
    run.isOver = true;
    await deps.disable(receiver, outcome.reason);
  } else if (past.isAsBefore) await countFailure(deps, run, receiver);
}

/** Attempts that failed, and since when. What failed before its webhook was switched on begins anew. */
function failuresOf(
  { attempts, failingSince }: Pick<Claimed, 'attempts' | 'failingSince'>,
  { activeSince }: Receiver,
  now: number,
): readonly [attempts: number, failingSince: number] {
  return failingSince === null || failingSince < activeSince ? [0, now] : [attempts, failingSince.getTime()];
}

async function request(deps: RelayDeps, run: Run, receiver: Receiver, event: NextEvent) {
  const { webhookId, url, secret, formerSecret } = receiver;
  const stored = formerSecret ? [secret, formerSecret] : [secret];
  let secrets: readonly string[];
  try {
    if (!deps.secrets) throw new Error('neither WEBHOOK_KEY nor AUTH_SECRET is set');
    secrets = stored.map(deps.secrets.read.bind(undefined, webhookId));
  } catch (error) {
    run.logger.error(
      { err: error, webhookId },
      'the secret of a webhook cannot be read: was its key replaced?',
    );
    return { kind: 'none', reason: 'the secret cannot be read: rotate it' } as const;
  }
  const body = bodyOf(event);
  const headers = headersOf(event, body, secrets, new Date(deps.clock.now()));
  return deps.post(url, headers, body, run.signal);
}

async function countFailure(
  { store, random, clock }: RelayDeps,
  run: Run,
  receiver: Receiver,
): Promise<void> {
  const { pauses } = receiver;
  run.failures += 1;
  if (run.isOver || run.failures < (pauses > 0 ? 1 : FAILURES_IN_A_ROW)) return;
  run.isOver = true;
  await store.pause(receiver, pauseMs(pauses, random()), new Date(clock.now()));
}
