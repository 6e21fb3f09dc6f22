import { ok, type Result, refusedAll, type UserError } from '../../../platform/errors.js';
import { faultsOf } from '../faults.js';
import { checkMember } from '../grouping/member.js';
import { wordingOfOne } from '../grouping/wording.js';
import { isVariableValue, VALUE_RULE, type Variables, type VariableValue } from '../templates/variables.js';
import { checkName } from '../text.js';
import { type Channel, defaultChannels, type Priority, rulesOf } from '../types.js';
import type { Recipient, SendRequest } from './request.js';

/** A request that follows the rules, with its defaults filled in. */
export interface CheckedRequest extends Omit<SendRequest, 'recipients' | 'priority'> {
  readonly priority: Priority;
  readonly recipients: readonly CheckedRecipient[];
}

export interface CheckedRecipient {
  readonly userId: string;
  readonly channels: readonly Channel[];
  readonly variables: Variables;
}

/** Of one request. */
export const MAX_RECIPIENTS = 1_000;
/** UTF-8 bytes of one recipient's variables, as JSON. */
const MAX_VARIABLES_BYTES = 65_536;

/**
 * Step 1: what a request must look like, every fault at once; of its recipients the first ones.
 *
 * Refused with ID_INVALID, TYPE_INVALID, GROUP_INVALID, NO_RECIPIENTS, TOO_MANY_RECIPIENTS, NO_CHANNELS, VARIABLE_INVALID,
 * VARIABLES_TOO_LARGE, FALLBACK_REPEATED, SCHEDULE_MISSING, SCHEDULE_TOO_FAR, SCHEDULE_AFTER_EXPIRY, or with one of `PASSED`.
 */
export function validate(request: SendRequest, now: number): Result<CheckedRequest> {
  const faults: UserError[] = [
    ...checkName('ID_INVALID', request.notificationId, ['input', 'notificationId']),
    ...checkName('TYPE_INVALID', request.type, ['input', 'type']),
    ...checkName('ID_INVALID', request.templateId, ['input', 'templateId']),
    ...checkTimes(request, now),
    ...checkMember(request.group, request.scheduleAt),
    ...checkFallback(request.fallbackChannels ?? []),
    ...checkRecipientCount(request.recipients.length),
  ];
  if (request.recipients.length <= MAX_RECIPIENTS)
    faults.push(...faultsOf(request.recipients, checkRecipient));
  if (faults.length > 0) return refusedAll(faults);
  return ok({
    ...request,
    priority: request.priority ?? rulesOf(request.type).priority,
    recipients: request.recipients.map((recipient) => ({
      userId: recipient.userId,
      channels: [...new Set(recipient.channels ?? defaultChannels)],
      variables: {
        ...knownValues(recipient.variables ?? {}),
        // Texts of people are the same whether there is one or there are many, and whether they are grouped.
        ...(request.group && wordingOfOne(request.group.actorName)),
      },
    })),
  });
}

/** Faults that a request has only by now: it may have been accepted when it had none. */
export const PASSED: readonly string[] = ['EXPIRES_IN_PAST', 'SCHEDULE_IN_PAST'];

/** A producer's clock may be so far behind ours. */
const CLOCK_SKEW_MS = 60_000;
const YEAR_MS = 366 * 86_400_000;
/** So much later than UTC the last zones (Baker Island) show a local time. */
const LAST_ZONE_MS = 12 * 3_600_000;

function checkTimes({ scheduleAt, scheduleInLocalTime, expiresAt }: SendRequest, now: number): UserError[] {
  const faults: UserError[] = [];
  const fault = (code: string, field: string, message: string): void => {
    faults.push({ code, message, path: ['input', field] });
  };
  if (expiresAt && expiresAt.getTime() <= now)
    fault('EXPIRES_IN_PAST', 'expiresAt', 'expiresAt has passed already');
  if (!scheduleAt) {
    if (scheduleInLocalTime)
      fault('SCHEDULE_MISSING', 'scheduleInLocalTime', 'scheduleInLocalTime needs scheduleAt');
    return faults;
  }
  faults.push(...checkSchedule(scheduleAt, scheduleInLocalTime ?? false, now, 'scheduleAt'));
  if (expiresAt && lastOf(scheduleAt, scheduleInLocalTime ?? false) >= expiresAt.getTime())
    fault('SCHEDULE_AFTER_EXPIRY', 'scheduleAt', 'scheduleAt must come before expiresAt, in every zone');
  return faults;
}

/** What is wrong with the time of a schedule: SCHEDULE_IN_PAST where it has passed in every zone, or SCHEDULE_TOO_FAR. */
export function checkSchedule(at: Date, isLocal: boolean, now: number, field: string): UserError[] {
  const path = ['input', field];
  if (lastOf(at, isLocal) < now - CLOCK_SKEW_MS)
    return [{ code: 'SCHEDULE_IN_PAST', message: `${field} has passed already`, path }];
  if (at.getTime() > now + YEAR_MS)
    return [{ code: 'SCHEDULE_TOO_FAR', message: `${field} is more than a year ahead`, path }];
  return [];
}

/** When it is that time in the last zone. */
const lastOf = (at: Date, isLocal: boolean): number => at.getTime() + (isLocal ? LAST_ZONE_MS : 0);

function checkFallback(fallbackChannels: readonly Channel[]): UserError[] {
  if (new Set(fallbackChannels).size === fallbackChannels.length) return [];
  const message = 'A fallback channel is named once';
  return [{ code: 'FALLBACK_REPEATED', message, path: ['input', 'fallbackChannels'] }];
}

function checkRecipientCount(count: number): UserError[] {
  const path = ['input', 'recipients'];
  if (count === 0) return [{ code: 'NO_RECIPIENTS', message: 'A request needs a recipient', path }];
  if (count <= MAX_RECIPIENTS) return [];
  return [{ code: 'TOO_MANY_RECIPIENTS', message: `At most ${MAX_RECIPIENTS} recipients a request`, path }];
}

function checkRecipient(recipient: Recipient, index: number): UserError[] {
  const path = ['input', 'recipients', String(index)];
  const faults = checkName('ID_INVALID', recipient.userId, [...path, 'userId']);
  if (recipient.channels?.length === 0) {
    const message = 'Name a channel, or leave channels out';
    faults.push({ code: 'NO_CHANNELS', message, path: [...path, 'channels'] });
  }
  return [...faults, ...checkVariables(recipient.variables ?? {}, [...path, 'variables'])];
}

export function checkVariables(
  variables: Readonly<Record<string, unknown>>,
  path: readonly string[],
): UserError[] {
  const faults = faultsOf(Object.entries(variables), ([name, value]) =>
    value === null || isVariableValue(value)
      ? []
      : [{ code: 'VARIABLE_INVALID', message: VALUE_RULE, path: [...path, name] }],
  );
  // What is nested without end must not be written out.
  if (faults.length > 0) return faults;
  if (Buffer.byteLength(JSON.stringify(variables)) <= MAX_VARIABLES_BYTES) return [];
  const message = `A recipient's variables have at most ${MAX_VARIABLES_BYTES} bytes`;
  return [{ code: 'VARIABLES_TOO_LARGE', message, path }];
}

/** Without what counts as absent. */
export const knownValues = (variables: Readonly<Record<string, unknown>>): Variables =>
  Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, VariableValue] => isVariableValue(entry[1])),
  );
