import { accountKinds } from './account-template-texts.js';
import type { NotificationKind, NotificationText } from './notification-kind.js';
import { postKinds } from './post-template-texts.js';
import { kinds } from './template-texts.js';

/** A first, active version; absent texts are null. */
export type DemoTemplate = ReturnType<typeof channelsOf>[number];

/** One for every type of the notification document and every channel, in English and often in more languages. */
export function makeTemplates(): readonly DemoTemplate[] {
  return [...accountKinds, ...kinds, ...postKinds].flatMap((kind) =>
    Object.entries(kind.texts).flatMap(([language, text]) => channelsOf(kind, text, language)),
  );
}

function channelsOf(kind: NotificationKind, text: NotificationText, language: string) {
  const none = { subject: null, title: null, htmlBody: null, imageUrl: null };
  const { title, body, sms, subject } = text;
  const { type, actionUrl, variables, syntax = 'PLAIN' } = kind;
  const slug = type.toLowerCase().replaceAll('_', '-');
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
    templateId: `${slug}.${content.channel}.${language}`,
    type,
    language,
    // A text message carries its link, if any, in its own words.
    actionUrl: content.channel === 'sms' ? null : actionUrl,
    variables,
    syntax,
  }));
}

const plainMail = ({ mail, lines, button }: NotificationText, url: string): string =>
  [...mail, ...(lines ? [lines] : []), `${button}: ${url}`].join('\n\n');

function htmlMail({ mail, list, button }: NotificationText, url: string): string {
  const paragraphs = mail.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
  const content = list ? `${paragraphs}\n${list}` : paragraphs;
  return `<html><body>\n${content}\n<p><a href="${url}">${button}</a></p>\n</body></html>`;
}
