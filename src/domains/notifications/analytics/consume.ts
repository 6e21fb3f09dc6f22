import type { Logger } from '../../../platform/logging/logger.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import type { Redis } from '../../../platform/redis/redis.js';
import type { DeliverySteps } from '../lifecycle/steps.js';
import { readStream } from '../lifecycle/stream.js';
import { addCampaignRollups, campaignsOf, rollUpCampaigns } from './campaign-rollups.js';
import { bucketOf } from './latencies.js';
import { counterOf, type Occurrence, rollUp } from './rollup.js';
import { addRollups, MINUTE_MS, startOf } from './rollups.js';
import { moveOn, readState } from './state.js';

/** Entries of the stream that one transaction counts. */
const PAGE = 25;

/**
 * Counts what the lifecycle stream has published since the last time. How far it came is written with the counts: killed at
 * any line, or done by several at once, every entry is counted once. Minutes that are closed are left alone.
 */
export async function consumeSteps(
  deps: { readonly postgres: Postgres; readonly redis: Redis; readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  for (let isDone = false; !isDone && !signal.aborted; ) {
    const { streamPosition } = await readState(deps.postgres);
    const page = await readStream(deps, streamPosition, PAGE);
    isDone = page.isLast;
    if (page.position === streamPosition) continue;
    const campaigns = await campaignsOf(deps.postgres, page.steps);
    const isOurs = await deps.postgres.transaction(async (tx) => {
      const closedUntil = await moveOn(tx, streamPosition, page.position);
      if (closedUntil === null) return false;
      const open = page.steps.filter(({ at }) => at >= closedUntil.getTime());
      await addRollups(tx, MINUTE_MS, rollUp(open.flatMap(occurrencesOf)));
      await addCampaignRollups(
        tx,
        rollUpCampaigns(open, ({ requestId }) => campaigns.get(requestId), occurrencesOf),
      );
      return true;
    });
    // Somebody else is at it.
    isDone ||= !isOurs;
  }
}

function occurrencesOf(steps: DeliverySteps): readonly Occurrence[] {
  const { channel, priority, notificationType, templateId, at, latencyMs } = steps;
  const key = { startsAt: startOf(at, MINUTE_MS), channel, priority, notificationType, templateId };
  return [
    ...steps.events.map((event) => ({
      ...key,
      counter: counterOf(event, false),
      bucket: event === 'DELIVERED' ? bucketOf(latencyMs) : null,
      count: 1,
    })),
    ...steps.suspected.map((event) => ({ ...key, counter: counterOf(event, true), bucket: null, count: 1 })),
  ];
}
