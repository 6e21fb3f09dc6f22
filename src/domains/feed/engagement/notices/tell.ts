import type { Sender } from '../../../../platform/auth.js';
import type { Caller } from '../../../../platform/caller.js';
import type { Result } from '../../../../platform/errors.js';
import type { Logger } from '../../../../platform/logger.js';
import type { Outbox } from '../../../../platform/outbox/index.js';
import { type Addressed, type AudienceDeps, findAudiences } from './audience.js';
import type { NoticeMetrics } from './metrics.js';
import { noticeOutbox } from './notices.js';

/** What people are told: one text for all, filled in for each. */
export interface Message {
  /** Made from what it is about: the same is told once. */
  readonly notificationId: string;
  /** A notification type. */
  readonly type: string;
  readonly recipients: readonly {
    readonly userId: string;
    /** Absent: those of notifications. */
    readonly channels?: readonly ('push' | 'in_app')[];
    readonly variables: Readonly<Record<string, string | number | null>>;
  }[];
}

/**
 * What the feed needs of notifications: has a message delivered. The same notification id again, however late, answers
 * the request that was accepted first and sends nothing.
 *
 * A refusal is final: nobody is told (TEMPLATE_NOT_FOUND where no text of the type is active). What it throws is worth
 * another try.
 */
export type SendMessage = (
  caller: Caller,
  message: Message,
) => Promise<Result<{ readonly requestId: string }>>;

interface Deps extends AudienceDeps {
  readonly send: SendMessage;
  readonly metrics: NoticeMetrics;
  readonly outbox: Pick<Outbox, 'drain'>;
}

/** In whose name people are told. */
const sender: Caller['viewer'] = {
  userId: 'feed' satisfies Sender,
  roles: new Set(['producer']),
  plan: 'free',
};
/** Told at once; all of them within the 10 s after which somebody else would take them up. */
const AT_ONCE = 20;
const CHANNELS = ['push', 'in_app'] as const;

/**
 * Tells people what is due: who reacted to, commented on and shared their posts, followed or mentioned them, or published
 * as a close friend. What fails is told later; what is refused, or concerns nobody any more, is not told.
 *
 * @param signal stops between rounds
 * @returns how many notices are done
 */
export async function tellOfNotices(deps: Deps, logger: Logger, signal: AbortSignal): Promise<number> {
  return deps.outbox.drain(noticeOutbox, {
    atOnce: AT_ONCE,
    signal,
    async work(due) {
      const addressed = await findAudiences(deps, due);
      const told = await Promise.all(addressed.map((one) => tell(deps, one, logger)));
      const failed = new Set(addressed.filter((_, index) => !told[index]).map(({ entry }) => entry));
      return due.filter((entry) => !failed.has(entry));
    },
  });
}

/** @returns whether that was the end of it */
async function tell(
  deps: Deps,
  { entry, notificationId, recipients }: Addressed,
  logger: Logger,
): Promise<boolean> {
  const { type } = entry.payload;
  const message = {
    notificationId,
    type,
    recipients: recipients.map((recipient) => ({ ...recipient, channels: CHANNELS })),
  };
  try {
    const sent = await deps.send({ viewer: sender, correlationId: entry.correlationId }, message);
    const code = sent.ok ? undefined : sent.errors[0]?.code;
    deps.metrics.told(type, sent.ok ? 'sent' : code === 'NOTHING_TO_SEND' ? 'unwanted' : 'refused');
    if (!sent.ok && code !== 'NOTHING_TO_SEND' && deps.metrics.isFirstRefusal(type))
      logger.warn({ type, errors: sent.errors }, 'notifications refuse what the feed has to tell');
    return true;
  } catch (error) {
    deps.metrics.told(type, 'failed');
    logger.warn({ err: error, notificationId }, 'somebody could not be told, and will be later');
    return false;
  }
}
