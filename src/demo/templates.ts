import type { Channel } from '../domains/notifications/index.js';
import type { VariableSchema } from '../domains/notifications/templates/render.js';
import type { NotificationKind, NotificationText } from './notification-kind.js';
import { postKinds } from './post-template-texts.js';
import { kinds } from './template-texts.js';

/** A first, active version; absent texts are null. */
export interface DemoTemplate {
  /** e.g. `new-follower.push.en` */
  readonly templateId: string;
  readonly type: string;
  readonly channel: Channel;
  readonly language: string;
  readonly subject: string | null;
  readonly title: string | null;
  readonly body: string;
  readonly htmlBody: string | null;
  readonly imageUrl: string | null;
  readonly actionUrl: string | null;
  readonly variables: VariableSchema;
}

/** One for every type of the notification document and every channel, in English and often in more languages. */
export function makeTemplates(): readonly DemoTemplate[] {
  return [...kinds, ...postKinds].flatMap((kind) =>
    Object.entries(kind.texts).flatMap(([language, text]) => channelsOf(kind, text, language)),
  );
}

function channelsOf(kind: NotificationKind, text: NotificationText, language: string): DemoTemplate[] {
  const none = { subject: null, title: null, htmlBody: null, imageUrl: null };
  const { title, body, sms, subject } = text;
  const { type, actionUrl, variables } = kind;
  const contents = [
    { channel: 'push', ...none, title, body, imageUrl: kind.imageUrl ?? null },
    { channel: 'in_app', ...none, title, body },
    { channel: 'sms', ...none, body: sms },
    {
      channel: 'email',
      ...none,
      subject,
      body: plainMail(text, actionUrl),
      htmlBody: htmlMail(text, actionUrl),
    },
  ] as const;
  return contents.map((content) => ({
    ...content,
    templateId: `${kind.slug}.${content.channel}.${language}`,
    type,
    language,
    // A text message carries its link, if any, in its own words.
    actionUrl: content.channel === 'sms' ? null : actionUrl,
    variables,
  }));
}

const plainMail = ({ mail, button }: NotificationText, url: string): string =>
  [...mail, `${button}: ${url}`].join('\n\n');

function htmlMail({ mail, button }: NotificationText, url: string): string {
  const paragraphs = mail.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
  return `<html><body>\n${paragraphs}\n<p><a href="${url}">${button}</a></p>\n</body></html>`;
}
