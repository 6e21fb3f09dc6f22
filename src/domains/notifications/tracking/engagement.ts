import { bind } from '../../../platform/bind.js';
import { withinMs } from '../../../platform/deadline.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { groupCommit } from '../../../platform/group-commit.js';
import type { Logger } from '../../../platform/logging/logger.js';
import {
  type DeliveryReport,
  type ReportDeps,
  type ReportOutcome,
  recordReports,
} from '../delivery/report.js';
import type { NotificationMetrics } from '../metrics.js';
import { isSuspectedBot, userAgentOf, type Visit } from './bots.js';
import { engage } from './engage.js';
import { createLinks, type Links } from './links.js';
import { dress } from './tracking.js';

export interface TrackingDeps extends ReportDeps {
  readonly logger: Logger;
  readonly metrics: ReportDeps['metrics'] & Pick<NotificationMetrics, 'engagementLost'>;
  readonly trackUrl: string;
  readonly trackSecret: string | undefined;
}

/** A reader does not wait longer for the database. */
const RECORD_MS = 1_000;
/** More than this waits for no database: the rest is lost, counted and logged. */
const MAX_WAITING = 5_000;
const CORRELATION_ID = 'tracking';

/** Signs what mails say, and records what their readers and the app's users do. */
export function createEngagementTracking(deps: TrackingDeps) {
  const { postgres, clock, trackUrl, trackSecret } = deps;
  const links = trackSecret === undefined ? null : createLinks({ trackUrl, secret: trackSecret });
  // One call at a time, so that a campaign's readers leave the other connections to everybody else.
  const record = groupCommit<DeliveryReport, ReportOutcome>({
    commit: (reports) => recordReports(deps, reports, CORRELATION_ID),
    maxItems: 200,
  });
  const reading = { links, record, note: noteWith(deps, record) };
  return {
    /** Whether mails are tracked; where not, links are not trusted either. */
    isOn: links !== null,
    /** Makes links and reads them; null where nobody signs them. */
    links,
    ...bind({ links, clock }, { dress }),
    ...bind(reading, { opened, clicked, unsubscribe }),
    ...bind({ postgres, record }, { engage }),
  };
}

interface ReadingDeps {
  readonly links: Links | null;
  readonly record: (report: DeliveryReport) => Promise<ReportOutcome>;
  readonly note: ReturnType<typeof noteWith>;
}

/** The pixel was fetched. Resolves soon and never rejects: what cannot be recorded is logged and counted. */
async function opened({ links, note }: ReadingDeps, query: unknown, visit: Visit): Promise<void> {
  const link = readLink(links, 'open', query);
  if (link.ok && visit.method !== 'HEAD') await note('opened', link.value.deliveryId, visit, {});
}

/**
 * A link was followed; recorded as `opened` does it.
 *
 * Refused with LINK_MALFORMED or SIGNATURE_REFUSED.
 *
 * @returns where to go on to
 */
async function clicked({ links, note }: ReadingDeps, query: unknown, visit: Visit): Promise<Result<string>> {
  const link = readLink(links, 'click', query);
  if (!link.ok) return link;
  const { deliveryId, url = '' } = link.value;
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol))
    return refused('LINK_MALFORMED', 'This is no web address.');
  if (visit.method !== 'HEAD') await note('clicked', deliveryId, visit, { url });
  return ok(target.href);
}

/**
 * Switches the user's preference for the mail's type on its channel off.
 *
 * Refused as `Links.read` does, and with DELIVERY_NOT_FOUND.
 *
 * @param via how they asked: `one_click` by their mail client, `page` by our button
 */
async function unsubscribe(
  { links, record }: ReadingDeps,
  query: unknown,
  via: 'one_click' | 'page',
): Promise<Result<null>> {
  const link = readLink(links, 'unsubscribe', query);
  if (!link.ok) return link;
  const { deliveryId } = link.value;
  const outcome = await record({ deliveryId, kind: 'unsubscribed', detail: { via } });
  return outcome === 'unknown' ? refused('DELIVERY_NOT_FOUND', 'This mail is not known any more.') : ok(null);
}

const readLink = (links: Links | null, kind: 'open' | 'click' | 'unsubscribe', query: unknown) =>
  links ? links.read(kind, query) : refused('SIGNATURE_REFUSED', 'Mails are not tracked.');

/** Records what a link reports. Waits a moment for it, so that in quiet times the record is there with the answer. */
function noteWith(
  { logger, metrics }: Pick<TrackingDeps, 'logger' | 'metrics'>,
  record: (report: DeliveryReport) => Promise<ReportOutcome>,
) {
  let waiting = 0;

  return async (kind: 'opened' | 'clicked', deliveryId: string, visit: Visit, detail: { url?: string }) => {
    const lose = (error: unknown): void => {
      metrics.engagementLost(kind === 'opened' ? 'OPENED' : 'CLICKED');
      logger.warn({ err: error, deliveryId, kind }, 'an open or a click could not be recorded');
    };
    if (waiting >= MAX_WAITING) return lose(new Error('too many wait for the database'));
    waiting += 1;
    const suspectedBot = isSuspectedBot(visit);
    const userAgent = userAgentOf(visit);
    const recording = record({
      deliveryId,
      kind,
      suspectedBot,
      isFetch: true,
      detail: { ...detail, ...(userAgent !== '' && { user_agent: userAgent }) },
    })
      .then(() => undefined, lose)
      .finally(() => {
        waiting -= 1;
      });
    await withinMs(RECORD_MS, recording).catch(() => undefined);
  };
}
