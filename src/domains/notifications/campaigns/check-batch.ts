import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import { checkSchedule, checkVariables, knownValues } from '../intake/validate.js';
import { checkFilter, type Segment } from '../segments/index.js';
import {
  type ActiveTemplate,
  type ActiveTemplates,
  type ExactTemplate,
  notFound,
  notSent,
} from '../templates/active-templates.js';
import { partialNameOf } from '../templates/partials.js';
import { faultOf, renderTemplate } from '../templates/render.js';
import { checkName } from '../text.js';
import type { Channel, Priority } from '../types.js';
import { channelsOf } from './channel.js';
import type { Throttle } from './rate.js';

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
  /** It begins then; absent: at once. */
  readonly scheduleAt?: Date | undefined;
}

export interface CheckBatchDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly activeTemplates: ActiveTemplates;
}

const MOST_PER_SECOND = 1_000_000;
/** Thirty days. */
const MOST_HOURS = 720;
const MOST_COUNTED = 2_147_483_647;
/** Where the filter and the variables stand in the input. */
export const FILTER = ['input', 'segment', 'filter'];
export const VARIABLES = ['input', 'variables'];

/** A batch in which nothing is wrong. */
export interface CheckedBatch {
  readonly template: ExactTemplate;
  readonly segment: Segment;
}

/**
 * Everything that is wrong with a batch in itself: ID_INVALID, VARIABLE_INVALID, VARIABLES_TOO_LARGE, ESTIMATE_INVALID, RATE_INVALID,
 * WINDOW_INVALID, SCHEDULE_IN_PAST, SCHEDULE_TOO_FAR, TEMPLATE_NOT_FOUND, what `checkFilter` refuses, and what `faultOf` says of any template that may be sent.
 */
export async function checkBatch(deps: CheckBatchDeps, request: BatchRequest): Promise<Result<CheckedBatch>> {
  const wrongId = checkName('ID_INVALID', request.batchId, ['input', 'batchId']);
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
    ...(request.scheduleAt ? checkSchedule(request.scheduleAt, false, deps.clock.now(), 'scheduleAt') : []),
  ];
  return faults.length === 0 && template.ok && segment.ok
    ? ok({ template: template.value, segment: segment.value })
    : refusedAll(faults);
}

/** A template of whose type something is active, all of which takes the variables. */
async function findSendable(
  { activeTemplates }: CheckBatchDeps,
  { templateId, variables = {} }: BatchRequest,
): Promise<Result<ExactTemplate>> {
  const wrong = checkVariables(variables, VARIABLES);
  const template = await activeTemplates.exactly(templateId);
  if (!template.ok) return refusedAll([...template.errors, ...wrong]);
  const { notificationType, channel } = template.value;
  if (partialNameOf(notificationType) !== null) return notSent(templateId);
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
