import type { Caller } from '../../../platform/auth/caller.js';
import { type Result, refused, refusedAll } from '../../../platform/errors.js';
import type { Ids } from '../../../platform/ids.js';
import type { Acceptance, SendRequest } from '../intake/request.js';
import { isName } from '../text.js';
import type { Channel } from '../types.js';
import { type ActiveTemplates, notFound, notSent } from './active-templates.js';
import { partialNameOf } from './partials.js';

/** A template sent to one person, to see it arrive. */
export interface Trial {
  readonly templateId: string;
  readonly userId: string;
  readonly channel: Channel;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

export interface TrialDeps {
  readonly ids: Ids;
  readonly activeTemplates: ActiveTemplates;
  readonly send: (caller: Caller, request: SendRequest) => Promise<Result<Acceptance>>;
}

/**
 * Sends this very version of a template, active or not, as any other notification of its type is sent: preferences, quiet
 * hours, limits and all; but it never waits: quiet hours that would defer it leave it out. Each call sends once more.
 *
 * Refused with TEMPLATE_NOT_FOUND, TEMPLATE_NOT_FOR_CHANNEL where its text is for another channel, or what sending
 * refuses.
 */
export async function sendTestNotification(
  { ids, activeTemplates, send }: TrialDeps,
  caller: Caller,
  { templateId, userId, channel, variables }: Trial,
): Promise<Result<Acceptance>> {
  if (!isName(templateId, 64)) return notFound(templateId);
  const template = await activeTemplates.exactly(templateId);
  if (!template.ok) return template;
  if (partialNameOf(template.value.notificationType) !== null) return notSent(templateId);
  if (template.value.channel !== channel) {
    const message = `${templateId} is a template for ${template.value.channel}`;
    return refused('TEMPLATE_NOT_FOR_CHANNEL', message, ['input', 'channel']);
  }
  const result = await send(caller, {
    notificationId: `test-${ids.next()}`,
    type: template.value.notificationType,
    templateId,
    recipients: [{ userId, channels: [channel], variables }],
    exactTemplate: true,
  });
  return result.ok
    ? result
    : refusedAll(result.errors.map((error) => ({ ...error, path: pathOf(error.path) })));
}

/** Where the fault stands in the trial: it has but one recipient. */
const pathOf = (path: readonly string[] = ['input']): readonly string[] =>
  path[1] === 'recipients' ? ['input', ...path.slice(3)] : path;
