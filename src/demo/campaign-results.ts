import { bucketOf } from '../domains/notifications/analytics/latencies.js';
import {
  type Counter,
  type Occurrence,
  type Rollup,
  rollUp,
} from '../domains/notifications/analytics/rollup.js';
import { MINUTE_MS, startOf } from '../domains/notifications/analytics/rollups.js';
import type { Channel } from '../domains/notifications/index.js';
import type { DemoCampaign } from './campaigns.js';
import { HOUR } from './rhythm.js';

/** Minutes later than this are counted anew by a worker, out of deliveries, of which the demo has none. */
const COUNTED_UNTIL_MS = HOUR / 3;

const CHANNELS = ['push', 'email'] as const satisfies readonly Channel[];
const PUSHED = 0.7;
/** What readers do of what was delivered: so many of them, in parts, each so many minutes later. */
const READ: readonly (readonly [Counter, number])[] = [
  ['opened', 0.34],
  ['clicked', 0.09],
  ['dismissed', 0.12],
  ['unsubscribed', 0.004],
  ['suspected_bots', 0.02],
];
const LATER: readonly (readonly [minutes: number, share: number])[] = [
  [2, 0.3],
  [9, 0.25],
  [31, 0.2],
  [120, 0.15],
  [370, 0.1],
];
const LATENCIES_MS = [420, 610, 900, 1_400, 3_800];

/** What became of each campaign, by its id and the minute, as far as it is in the past. */
export function makeCampaignResults(
  campaigns: readonly DemoCampaign[],
  now: number,
): ReadonlyMap<string, readonly Rollup[]> {
  return new Map(campaigns.map((campaign) => [campaign.campaignId, resultsOf(campaign, now)]));
}

function resultsOf(campaign: DemoCampaign, now: number): readonly Rollup[] {
  const until = startOf(now - COUNTED_UNTIL_MS, MINUTE_MS);
  const first = startOf(Date.parse(campaign.startedAt), MINUTE_MS);
  const last = Math.min(startOf(Date.parse(campaign.page.at), MINUTE_MS), until - MINUTE_MS);
  const minutes = (last - first) / MINUTE_MS + 1;
  const occurrences: Occurrence[] = [];
  for (const channel of CHANNELS) {
    const key = {
      ...{ channel, priority: 'low' as const },
      ...{ notificationType: campaign.type, templateId: campaign.templateId },
    };
    /** So many in all, evenly over the minutes in which it was sent, and so much later. */
    const spread = (counter: Counter, total: number, later = 0): void => {
      for (let at = 0; at < minutes; at += 1) {
        const count = Math.floor((total * (at + 1)) / minutes) - Math.floor((total * at) / minutes);
        const startsAt = first + (at + later) * MINUTE_MS;
        if (count === 0 || startsAt >= until) continue;
        const bucket = counter === 'delivered' ? bucketOf(LATENCIES_MS[at % LATENCIES_MS.length]!) : null;
        occurrences.push({ ...key, startsAt, counter, bucket, count });
      }
    };
    const of = (total: number): number => {
      const pushed = Math.round(total * PUSHED);
      return channel === 'push' ? pushed : total - pushed;
    };
    const { matched, queued, suppressed } = campaign.page;
    const delivered = of(Math.round(queued * 0.97));
    for (const counter of ['created', 'validated', 'preference_checked'] as const)
      spread(counter, of(matched));
    spread('suppressed', of(suppressed));
    for (const counter of ['rendered', 'queued', 'sent'] as const) spread(counter, of(queued));
    spread('delivered', delivered);
    spread('failed', of(queued) - delivered);
    spread('dlq', of(queued) - delivered);
    for (const [counter, part] of READ)
      for (const [later, portion] of LATER) spread(counter, Math.round(delivered * part * portion), later);
  }
  return rollUp(occurrences);
}
