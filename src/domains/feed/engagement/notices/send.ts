import { Counter, type Registry } from 'prom-client';
import type { Sender } from '../../../../platform/auth/auth.js';
import type { Caller } from '../../../../platform/auth/caller.js';
import type { Result } from '../../../../platform/errors.js';
import type { Logger } from '../../../../platform/logging/logger.js';
import type { Outbox, OutboxEntry } from '../../../../platform/outbox/index.js';
import { inSpan, tracer } from '../../../../platform/tracing/tracing.js';
import { type Addressed, type AudienceDeps, findAudiences } from './audience.js';
import { type NoticeType, noticeOutbox } from './notices.js';
import { findWithdrawals, undoneReactionOutbox, type Withdrawal } from './undone.js';

/** A notification of several people: one text, filled in for each. */
export interface Message {
  /** Made from what it is about: the same is sent once. */
  readonly notificationId: string;
  /** A notification type. */
  readonly type: string;
  readonly recipients: readonly {
    readonly userId: string;
    /** Absent: those of notifications. */
    readonly channels?: readonly ('push' | 'in_app')[];
    readonly variables: Readonly<Record<string, string | number | null>>;
  }[];
  /** Where it may be sent as one with others of its type about the same: what it is about, and who acted. */
  readonly group?: { readonly key: string; readonly actorId: string; readonly actorName: string };
}

/**
 * Has a message delivered. The same notification id again, however late, answers
 * the request that was accepted first and sends nothing.
 *
 * A refusal is final: nothing is sent (TEMPLATE_NOT_FOUND where no text of the type is active). What it throws is worth
 * another try.
 */
export type SendMessage = (
  caller: Caller,
  message: Message,
) => Promise<Result<{ readonly requestId: string }>>;

/** Has what stands for several not count somebody any more who undid what they did; see `Withdrawal`. */
export type WithdrawMessage = (
  caller: Caller,
  undone: Omit<Withdrawal, 'entry'> & { readonly type: string },
) => Promise<void>;

/** What the feed needs of notifications. */
export interface FeedMessages {
  readonly send: SendMessage;
  readonly withdraw: WithdrawMessage;
}

interface Deps extends AudienceDeps {
  readonly noticeMetrics: ReturnType<typeof createNoticeMetrics>;
  readonly outbox: Pick<Outbox, 'drain'>;
}

/** In whose name notifications are sent. */
const sender: Caller['viewer'] = {
  userId: 'feed' satisfies Sender,
  roles: new Set(['producer']),
  plan: 'free',
};
/** Notices that are sent together, within the 10 s after which another process would claim them. */
const AT_ONCE = 20;
const CHANNELS = ['push', 'in_app'] as const;

/**
 * Sends the notices that are due: who reacted to, commented on and shared people's posts, followed or mentioned them, or
 * published as a close friend. What fails is sent later; what is refused, or has no recipients any more, is not sent. Who took a
 * reaction back is withdrawn from what stands for several.
 *
 * @param signal stops between rounds
 * @returns how many notices and undone reactions are done
 */
export async function sendNotices(
  deps: Deps,
  messages: FeedMessages,
  logger: Logger,
  signal: AbortSignal,
): Promise<number> {
  const sent = await deps.outbox.drain(noticeOutbox, {
    atOnce: AT_ONCE,
    signal,
    async work(due) {
      const addressed = await findAudiences(deps, due);
      return doEach(due, addressed, (one) =>
        inTraceOf(one.entry, 'process feed.notice', () => sendOne({ ...deps, ...messages }, one, logger)),
      );
    },
  });
  const withdrawn = await deps.outbox.drain(undoneReactionOutbox, {
    atOnce: AT_ONCE,
    signal,
    async work(due) {
      const found = await findWithdrawals(deps, due);
      return doEach(due, found, (one) =>
        inTraceOf(one.entry, 'process feed.undone-reaction', () => withdrawOne(messages, one, logger)),
      );
    },
  });
  return sent + withdrawn;
}

/** @returns the entries that are over: those that need nothing, and those of which `doOne` answers that all is done */
async function doEach<Entry, One extends { readonly entry: Entry }>(
  due: readonly Entry[],
  found: readonly One[],
  doOne: (one: One) => Promise<boolean>,
): Promise<readonly Entry[]> {
  const done = await Promise.all(found.map(doOne));
  const failed = new Set(found.flatMap(({ entry }, index) => (done[index] ? [] : [entry])));
  return due.filter((entry) => !failed.has(entry));
}

/** What comes of an entry is in the trace of its event. */
function inTraceOf<T>(
  { traceparent = null }: Pick<OutboxEntry<unknown>, 'traceparent'>,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const using = tracer();
  return using ? inSpan(using, { name, kind: 'consumer', parent: traceparent }, work) : work();
}

/** @returns whether the notice is done */
async function sendOne(
  deps: Pick<Deps, 'noticeMetrics'> & { readonly send: SendMessage },
  { entry, notificationId, recipients, group }: Addressed,
  logger: Logger,
): Promise<boolean> {
  const { type } = entry.payload;
  const message = {
    notificationId,
    type,
    recipients: recipients.map((recipient) => ({ ...recipient, channels: CHANNELS })),
    ...(group && { group }),
  };
  try {
    const sent = await deps.send({ viewer: sender, correlationId: entry.correlationId }, message);
    const code = sent.ok ? undefined : sent.errors[0]?.code;
    deps.noticeMetrics.count(type, sent.ok ? 'sent' : code === 'NOTHING_TO_SEND' ? 'unwanted' : 'refused');
    if (!sent.ok && code !== 'NOTHING_TO_SEND' && deps.noticeMetrics.isFirstRefusal(type))
      logger.warn({ type, errors: sent.errors }, 'notifications refuse a notice of the feed; it is not sent');
    return true;
  } catch (error) {
    deps.noticeMetrics.count(type, 'failed');
    logger.warn({ err: error, notificationId }, 'a notice of the feed was not sent; it is sent again later');
    return false;
  }
}

/** @returns whether it is done */
async function withdrawOne(
  { withdraw }: Pick<FeedMessages, 'withdraw'>,
  { entry, ...undone }: Withdrawal,
  logger: Logger,
): Promise<boolean> {
  try {
    const caller = { viewer: sender, correlationId: entry.correlationId };
    await withdraw(caller, { ...undone, type: 'POST_LIKED' satisfies NoticeType });
    return true;
  } catch (error) {
    logger.warn({ err: error }, 'a reaction that was undone is still counted; it is withdrawn later');
    return false;
  }
}

/**
 * - sent: notifications accepted it, now or before
 * - unwanted: no recipient wants it or can be reached
 * - refused: notifications refused it; most likely no template of the type is active
 * - failed: it is tried again
 */
type NoticeOutcome = 'sent' | 'unwanted' | 'refused' | 'failed';

export function createNoticeMetrics(registry: Registry) {
  const notices = new Counter({
    name: 'feed_notices_total',
    help: 'Notices of the feed, by outcome',
    labelNames: ['type', 'outcome'],
    registers: [registry],
  });
  const refused = new Set<NoticeType>();
  return {
    count: (type: NoticeType, outcome: NoticeOutcome): void => notices.inc({ type, outcome }),
    /** Whether this is the first refusal of the type: one line in the log is enough. */
    isFirstRefusal(type: NoticeType): boolean {
      const isFirst = !refused.has(type);
      refused.add(type);
      return isFirst;
    },
  };
}
