import { ok, type Result, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Variables, VariableValue } from '../templates/render.js';
import { isName, isStorable } from '../text.js';
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

export const MAX_RECIPIENTS = 1_000;
/** UTF-8 bytes of one recipient's variables, as JSON. */
const MAX_VARIABLES_BYTES = 65_536;
const MAX_ID = 64;

/**
 * Step 1: what a request must look like, every fault at once.
 *
 * Refused with ID_INVALID, TYPE_INVALID, NO_RECIPIENTS, TOO_MANY_RECIPIENTS, NO_CHANNELS, VARIABLE_INVALID,
 * VARIABLES_TOO_LARGE or EXPIRES_IN_PAST.
 */
export function validate(request: SendRequest, now: number): Result<CheckedRequest> {
  const faults: UserError[] = [
    ...checkName('ID_INVALID', request.notificationId, ['input', 'notificationId']),
    ...checkName('TYPE_INVALID', request.type, ['input', 'type']),
    ...checkName('ID_INVALID', request.templateId, ['input', 'templateId']),
    ...checkExpiry(request.expiresAt, now),
    ...checkRecipientCount(request.recipients.length),
  ];
  if (request.recipients.length <= MAX_RECIPIENTS) faults.push(...request.recipients.flatMap(checkRecipient));
  if (faults.length > 0) return refusedAll(faults);
  return ok({
    ...request,
    priority: request.priority ?? rulesOf(request.type).priority,
    recipients: request.recipients.map((recipient) => ({
      userId: recipient.userId,
      channels: [...new Set(recipient.channels ?? defaultChannels)],
      variables: knownValues(recipient.variables ?? {}),
    })),
  });
}

function checkName(code: string, text: string, path: readonly string[]): UserError[] {
  if (isName(text, MAX_ID)) return [];
  return [{ code, message: `${path.at(-1)} must have 1 to ${MAX_ID} printable characters`, path }];
}

function checkExpiry(expiresAt: Date | undefined, now: number): UserError[] {
  if (!expiresAt || expiresAt.getTime() > now) return [];
  return [{ code: 'EXPIRES_IN_PAST', message: 'expiresAt has passed already', path: ['input', 'expiresAt'] }];
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

function checkVariables(variables: Readonly<Record<string, unknown>>, path: readonly string[]): UserError[] {
  if (Buffer.byteLength(JSON.stringify(variables)) > MAX_VARIABLES_BYTES) {
    const message = `A recipient's variables have at most ${MAX_VARIABLES_BYTES} bytes`;
    return [{ code: 'VARIABLES_TOO_LARGE', message, path }];
  }
  return Object.entries(variables)
    .filter(([, value]) => value !== null && !isValue(value))
    .map(([name]) => ({
      code: 'VARIABLE_INVALID',
      message: 'A variable is a text or a number',
      path: [...path, name],
    }));
}

const isValue = (value: unknown): value is VariableValue =>
  typeof value === 'number' || (typeof value === 'string' && isStorable(value));

const knownValues = (variables: Readonly<Record<string, unknown>>): Variables =>
  Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, VariableValue] => isValue(entry[1])),
  );
