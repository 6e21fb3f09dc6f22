import type { Caller } from '../../../platform/auth/caller.js';
import { ok, type Result } from '../../../platform/errors.js';
import { type DecideDeps, decide } from '../intake/decide.js';
import { renderDrafts } from '../intake/render.js';
import { knownValues } from '../intake/validate.js';
import type { NotificationLimits } from '../limits/limits.js';
import type { RenderedContent } from '../providers/provider.js';
import { unfit } from '../schedule/release.js';
import type { Channel, SuppressionReason } from '../types.js';
import { sql as statements } from './campaigns.sql.js';
import { type BatchRequest, checkBatch, FILTER } from './check-batch.js';
import { draftUsers } from './page.js';
import { rateOf } from './rate.js';
import { findEarlier, MOST_OPEN, type SendBatchDeps, tooMany } from './send-batch.js';

/** What a batch would do. */
export interface BatchDryRun {
  /** Users who match now, as `estimateSegment` counts them. */
  readonly estimatedUsers: number;
  readonly ratePerSecond: number;
  readonly rateRaised: boolean;
  /** What up to 10 users who match would get. */
  readonly samples: readonly BatchSample[];
}

/** What one user would get of a batch if it reached them now. */
export interface BatchSample {
  readonly userId: string;
  readonly channel: Channel;
  /** Why they would be left out; null where they would not. */
  readonly suppression: SuppressionReason | null;
  /** Until when their quiet hours would defer it; null where it would be sent at once. */
  readonly dueAt: Date | null;
  /** Their text, whether they would get it or not; null where there is none for them. */
  readonly content: RenderedContent | null;
}

/** A dry run neither asks nor fills the counters of limits. */
const uncounted: Pick<NotificationLimits, 'charge'> = {
  charge: async (deliveries) => deliveries.map(() => ({ allowed: true })),
};

/**
 * Says what `sendBatch` would do with a batch, and stores nothing: checks it, counts its users, and renders it for some of them. The
 * same batch may be accepted already.
 *
 * Refused as `sendBatch` refuses, and with FILTER_TOO_SLOW also without a window.
 */
export async function dryRunBatch(
  deps: SendBatchDeps & Omit<DecideDeps, 'limits'>,
  caller: Caller,
  request: BatchRequest,
): Promise<Result<BatchDryRun>> {
  const earlier = await findEarlier(deps, caller, request);
  if (earlier && !earlier.ok) return earlier;
  const checked = await checkBatch(deps, request);
  if (!checked.ok) return checked;
  if (!earlier && (await hasMostOpen(deps, caller))) return tooMany;
  const { template, segment } = checked.value;
  const estimate = await deps.segments.estimateOf(segment, FILTER);
  if (!estimate.ok) return estimate;
  const { count, sample } = estimate.value;
  const batch = {
    templateId: request.templateId,
    type: template.notificationType,
    channel: template.channel,
    priority: request.priority ?? 'low',
    variables: knownValues(request.variables ?? {}),
    producer: caller.viewer.userId,
    notificationId: request.batchId,
  };
  const samples = await sampled(deps, batch, sample);
  return samples.ok
    ? ok({ ...rateOf(request.throttle ?? {}, count), estimatedUsers: count, samples: samples.value })
    : samples;
}

type Batch = Parameters<typeof draftUsers>[1] & Parameters<typeof decide>[1];

async function sampled(
  deps: SendBatchDeps & Omit<DecideDeps, 'limits'>,
  batch: Batch,
  userIds: readonly string[],
): Promise<Result<readonly BatchSample[]>> {
  if (userIds.length === 0) return ok([]);
  const drafted = await draftUsers(deps, batch, userIds);
  if (!drafted.ok) return drafted;
  const { drafts, templates, profiles } = drafted.value;
  const [decided, rendered] = await Promise.all([
    decide({ ...deps, limits: uncounted }, batch, drafts, deps.clock.now(), unfit),
    // Those who are left out or deferred would have no text otherwise.
    renderDrafts(drafts, batch.templateId, templates, profiles, unfit),
  ]);
  if (!decided.ok) return decided;
  if (!rendered.ok) return rendered;
  return ok(
    decided.value.map(({ userId, channel, suppression, dueAt }, index) => ({
      ...{ userId, channel, suppression: suppression?.reason ?? null, dueAt: dueAt ?? null },
      content: rendered.value[index]!.content ?? null,
    })),
  );
}

async function hasMostOpen({ postgres }: SendBatchDeps, { viewer }: Caller): Promise<boolean> {
  const { rows } = await postgres.query(statements.countOpen, [viewer.userId, MOST_OPEN]);
  return rows[0]!.open >= MOST_OPEN;
}
