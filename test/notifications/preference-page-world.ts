import type { SettingsChange } from '../../src/domains/notifications/preferences/settings.js';
import { seePage } from './mail-form.js';
import { aRequest, aTemplate, shop } from './notification-world.js';
import { attributeOf, type Init, type Mail, type MailTrial, visit } from './tracked-mail.js';

export const settingsOf = (mails: MailTrial, { userId }: Mail) => mails.world.notifications.settings(userId);
/** What its reader has chosen, by type and channel. */
export const chosenBy = async (mails: MailTrial, mail: Mail) =>
  Object.fromEntries(
    (await mails.preferencesOf(mail)).map(({ notificationType, channel, enabled }) => [
      `${notificationType}/${channel}`,
      enabled,
    ]),
  );
export async function set(mails: MailTrial, { userId }: Mail, change: SettingsChange): Promise<void> {
  const result = await mails.world.notifications.updateSettings(userId, change);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
}

/** Where the page that asks leads on to. */
export async function linkIn(mail: Mail): Promise<string> {
  const html = await (await visit(mail.links.unsubscribe)).text();
  return new URL(attributeOf(html, 'a', 'href')!, mail.links.unsubscribe).href;
}

export async function openPage(url: string, init: Init = {}) {
  const answer = await visit(url, init);
  return { answer, page: seePage(await answer.text()) };
}

export const post = (url: string, body: URLSearchParams, init: Init = {}) =>
  visit(url, { method: 'POST', body, ...init });

/** Sends it to the mail's reader, so that they know the type. */
export async function sendTo(
  mails: MailTrial,
  { userId }: Mail,
  type: string,
  channel: 'push' | 'sms' | 'email',
): Promise<void> {
  const templateId = await aTemplate(mails.world, channel, type, {
    body: 'Hello',
    ...(channel === 'email' && { subject: 'Hello' }),
  });
  const sent = await mails.world.notifications.send(
    shop,
    aRequest({ type, templateId, recipients: [{ userId, channels: [channel] }] }),
  );
  if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
}
