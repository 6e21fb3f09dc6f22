import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Ids } from '../../../platform/ids.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import { fingerprint } from '../intake/dedup.js';
import { checkVariables, knownValues } from '../intake/validate.js';
import { checkFilter, type Estimates, type Segment } from '../segments/index.js';
import {
  type ActiveTemplate,
  type ActiveTemplates,
  type ExactTemplate,
  notFound,
} from '../templates/active-templates.js';
import { faultOf, renderTemplate } from '../templates/render.js';
import { checkName } from '../text.js';
import type { Channel, Priority } from '../types.js';
import type { Campaign } from './campaign.js';
import { sql as statements } from './campaigns.sql.js';
import { channelsOf } from './channel.js';
import { findCampaigns, findNamed } from './find.js';
import { rateOf, type Throttle } from './rate.js';

/** A producer's batch, as GraphQL and REST both bring it. */
export interface BatchRequest {
  /** The producer's own id: the same id and body again answers the same campaign. */
  readonly batchId: string;
  /** Names the type, of which the active templates are sent. */
  readonly templateId: string;
  /** Absent: low. */
  readonly priority?: Priority | undefined;
  /** Of the template: the same for everybody; by name, null counts as absent. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly segment: { readonly filter: string; readonly estimatedCount?: number | undefined };
  readonly throttle?: Throttle | undefined;
}

export interface SendBatchDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly activeTemplates: ActiveTemplates;
  readonly segments: Pick<Estimates, 'estimateOf'>;
}

/** Campaigns of one producer that are not over: pending, running or paused. */
const MOST_OPEN = 20;
const MOST_PER_SECOND = 1_000_000;
/** Thirty days. */
const MOST_HOURS = 720;
const MOST_COUNTED = 2_147_483_647;
const FILTER = ['input', 'segment', 'filter'];
const VARIABLES = ['input', 'variables'];

/**
 * Accepts a batch: once this answers, everybody who matches its filter when it starts gets one delivery. The same batch id and body
 * again, also at once, answers the same campaign, as it is by then.
 *
 * Refused, with nothing stored, with ID_INVALID, VARIABLE_INVALID, VARIABLES_TOO_LARGE, ESTIMATE_INVALID, RATE_INVALID, WINDOW_INVALID,
 * TEMPLATE_NOT_FOUND, what `checkFilter` refuses, and what `faultOf` says of any template that may be sent, every fault at once; or with
 * BATCH_ID_REUSED, TOO_MANY_CAMPAIGNS, or, where a window needs an estimate, FILTER_TOO_SLOW.
 */
export async function sendBatch(
  deps: SendBatchDeps,
  caller: Caller,
  request: BatchRequest,
): Promise<Result<Campaign>> {
  const wrongId = checkName('ID_INVALID', request.batchId, ['input', 'batchId']);
  // What has variables that are none was not accepted before, and cannot be hashed where it is nested without end.
  const isWrong = wrongId.length > 0 || checkVariables(request.variables ?? {}, VARIABLES).length > 0;
  const earlier = isWrong ? null : await findEarlier(deps, caller, request);
  if (earlier) return earlier;

  const checked = await checkBatch(deps, request, wrongId);
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

async function findEarlier(
  { postgres }: SendBatchDeps,
  caller: Caller,
  request: BatchRequest,
): Promise<Result<Campaign> | null> {
  const { batchId } = request;
  const named = await findNamed(postgres, batchId, caller.viewer.userId, false);
  if (!named) return null;
  if (named.bodyHash.toString('hex') !== fingerprint(request)) return idReused(batchId);
  const [campaign] = await findCampaigns(postgres, [named.campaignId]);
  return campaign ? ok(campaign) : null;
}

const idReused = (batchId: string): Result<never> =>
  refused('BATCH_ID_REUSED', `batchId ${batchId} was used for another batch`, ['input', 'batchId']);

const tooMany: Result<never> = refused(
  'TOO_MANY_CAMPAIGNS',
  `A producer has at most ${MOST_OPEN} campaigns that are not over`,
  ['input', 'batchId'],
);

interface Checked {
  readonly template: ExactTemplate;
  readonly segment: Segment;
}

async function checkBatch(
  deps: SendBatchDeps,
  request: BatchRequest,
  wrongId: readonly UserError[],
): Promise<Result<Checked>> {
  const wrongTemplateId = checkName('ID_INVALID', request.templateId, ['input', 'templateId']);
  const [template, segment] = await Promise.all([
    wrongTemplateId.length > 0 ? refusedAll(wrongTemplateId) : findSendable(deps, request),
    checkFilter(deps, request.segment.filter, FILTER),
  ]);
  const faults = [
    ...wrongId,
    ...(template.ok ? [] : template.errors),
    ...(segment.ok ? [] : segment.errors),
    ...checkNumbers(request),
  ];
  return faults.length === 0 && template.ok && segment.ok
    ? ok({ template: template.value, segment: segment.value })
    : refusedAll(faults);
}

/** A template of whose type something is active, all of which takes the variables. */
async function findSendable(
  { activeTemplates }: SendBatchDeps,
  { templateId, variables = {} }: BatchRequest,
): Promise<Result<ExactTemplate>> {
  const wrong = checkVariables(variables, VARIABLES);
  const template = await activeTemplates.exactly(templateId);
  if (!template.ok) return refusedAll([...template.errors, ...wrong]);
  const { notificationType, channel } = template.value;
  const active = await activeTemplates.ofType(notificationType);
  const channels = channelsOf(active, channel);
  if (channels.length === 0) return notFound(templateId);
  const faults = wrong.length > 0 ? wrong : faultsOf(active, channels, variables);
  return faults.length > 0 ? refusedAll(faults) : template;
}

/** Why templates make no text of these variables: the same fault of several once. */
function faultsOf(
  templates: readonly ActiveTemplate[],
  channels: readonly Channel[],
  variables: Readonly<Record<string, unknown>>,
): UserError[] {
  const known = knownValues(variables);
  const faults = new Map<string, UserError>();
  for (const template of templates.filter(({ channel }) => channels.includes(channel))) {
    const rendering = renderTemplate(template, known);
    if (rendering.kind === 'rendered') continue;
    const fault = faultOf(rendering, template, VARIABLES);
    faults.set(`${fault.code}/${fault.path.join('/')}`, fault);
  }
  return [...faults.values()];
}

/** What is wrong with the numbers of a batch. */
export function checkNumbers({ segment, throttle }: Pick<BatchRequest, 'segment' | 'throttle'>): UserError[] {
  const check = (code: string, value: number | undefined, least: number, most: number, path: string[]) =>
    value === undefined || (Number.isInteger(value) && value >= least && value <= most)
      ? []
      : [{ code, message: `${path.at(-1)} is a whole number from ${least} to ${most}`, path }];
  return [
    ...check('ESTIMATE_INVALID', segment.estimatedCount, 0, MOST_COUNTED, [
      'input',
      'segment',
      'estimatedCount',
    ]),
    ...check('RATE_INVALID', throttle?.maxPerSecond, 1, MOST_PER_SECOND, [
      'input',
      'throttle',
      'maxPerSecond',
    ]),
    ...check('WINDOW_INVALID', throttle?.windowHours, 1, MOST_HOURS, ['input', 'throttle', 'windowHours']),
  ];
}
