import type { Caller } from '../../../platform/auth/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Ids } from '../../../platform/ids.js';
import { confirmRead } from '../../../platform/postgres/confirm-read.js';
import { fingerprint } from '../intake/dedup.js';
import { checkVariables, knownValues } from '../intake/validate.js';
import type { Estimates, Segment } from '../segments/index.js';
import { checkName } from '../text.js';
import type { Campaign } from './campaign.js';
import { sql as statements } from './campaigns.sql.js';
import { type BatchRequest, type CheckBatchDeps, checkBatch, FILTER, VARIABLES } from './check-batch.js';
import { findCampaigns, findNamed } from './find.js';
import { rateOf } from './rate.js';

export interface SendBatchDeps extends CheckBatchDeps {
  readonly ids: Ids;
  readonly segments: Pick<Estimates, 'estimateOf'>;
}

/** Campaigns of one producer that are not over: scheduled, pending, running or paused. */
export const MOST_OPEN = 20;

/**
 * Accepts a batch: once this answers, everybody who matches its filter when it starts, now or at its time, gets one delivery. The same batch id and body
 * again, also at once, answers the same campaign, as it is by then.
 *
 * Refused, with nothing stored, with what `checkBatch` refuses, every fault at once; or with BATCH_ID_REUSED, TOO_MANY_CAMPAIGNS, or,
 * where a window needs an estimate, FILTER_TOO_SLOW.
 */
export async function sendBatch(
  deps: SendBatchDeps,
  caller: Caller,
  request: BatchRequest,
): Promise<Result<Campaign>> {
  const earlier = await findEarlier(deps, caller, request);
  if (earlier) return earlier;

  const checked = await checkBatch(deps, request);
  if (!checked.ok) return checked;
  const { template, segment } = checked.value;
  const users = await countFor(deps, request, segment);
  if (!users.ok) return users;
  const { ratePerSecond, rateRaised } = rateOf(request.throttle ?? {}, users.value);
  const campaignId = deps.ids.next();
  const values = [
    campaignId,
    caller.viewer.userId,
    request.batchId,
    fingerprint(request),
    request.templateId,
    template.notificationType,
    request.priority ?? 'low',
    request.segment.filter,
    request.segment.estimatedCount ?? null,
    request.throttle?.maxPerSecond ?? null,
    request.throttle?.windowHours ?? null,
    ratePerSecond,
    rateRaised,
    caller.correlationId,
    knownValues(request.variables ?? {}),
    request.scheduleAt ?? null,
  ];
  const { rows } = await deps.postgres.transaction(async (tx) => {
    await tx.query(statements.lockProducer, [caller.viewer.userId]);
    return tx.query(statements.insert, [...values, MOST_OPEN]);
  });
  if (rows.length > 0) return ok((await findCampaigns(deps.postgres, [campaignId]))[0]!);
  // Another call with this id came first, or there are as many as there may be.
  return (await findEarlier(deps, caller, request)) ?? tooMany;
}

/** How many users the rate is for; 0 where it does not depend on that. */
async function countFor(
  { segments }: SendBatchDeps,
  { throttle }: BatchRequest,
  segment: Segment,
): Promise<Result<number>> {
  if (throttle?.windowHours === undefined) return ok(0);
  const estimate = await segments.estimateOf(segment, FILTER);
  return estimate.ok ? ok(estimate.value.count) : estimate;
}

/** What a producer has under a batch's id: the campaign of the same body, a refusal where the body was another one, or nothing. */
export async function findEarlier(
  { postgres }: Pick<SendBatchDeps, 'postgres'>,
  caller: Caller,
  request: BatchRequest,
): Promise<Result<Campaign> | null> {
  const { batchId, variables = {} } = request;
  // What has variables that are none was not accepted before, and cannot be hashed where it is nested without end.
  const isWrong =
    checkName('ID_INVALID', batchId, []).length > 0 || checkVariables(variables, VARIABLES).length > 0;
  const named = isWrong ? null : await findNamed(postgres, batchId, caller.viewer.userId, false);
  if (!named) return null;
  if (named.bodyHash.toString('hex') !== fingerprint(request)) return idReused(batchId);
  await confirmRead(postgres);
  const [campaign] = await findCampaigns(postgres, [named.campaignId]);
  return campaign ? ok(campaign) : null;
}

const idReused = (batchId: string): Result<never> =>
  refused('BATCH_ID_REUSED', `batchId ${batchId} was used for another batch`, ['input', 'batchId']);

export const tooMany: Result<never> = refused(
  'TOO_MANY_CAMPAIGNS',
  `A producer has at most ${MOST_OPEN} campaigns that are not over`,
  ['input', 'batchId'],
);
