import type { ActiveTemplate } from '../templates/active-templates.js';
import { languageChain } from '../templates/render.js';
import { type Channel, rulesOfChannel } from '../types.js';

/** What digests say where nobody has saved a template of type DIGEST; a digest is of two notifications at least. */
const HEADLINES = {
  en: '{{count}} new notifications',
  de: '{{count}} neue Benachrichtigungen',
  pt: '{{count}} novas notificações',
} as const;

/** A text for every channel, in the languages that there are. */
export const builtInTemplates: readonly ActiveTemplate[] = Object.entries(HEADLINES).flatMap(
  ([language, headline]) => [
    builtIn('push', language, { title: headline, body: '{{summary}}' }),
    builtIn('sms', language, { body: `${headline}:\n{{summary}}` }),
    builtIn('email', language, { subject: headline, body: `${headline}:\n\n{{summary}}\n` }),
  ],
);

function builtIn(
  channel: Channel,
  language: string,
  own: Pick<ActiveTemplate, 'body'> & Partial<ActiveTemplate>,
): ActiveTemplate {
  return {
    templateId: `built-in.digest.${channel}.${language}`,
    channel,
    language,
    version: 0,
    title: null,
    subject: null,
    htmlBody: null,
    imageUrl: null,
    actionUrl: null,
    variables: {
      count: { type: 'number', required: true },
      summary: { type: 'string', required: true },
    },
    ...own,
  };
}

/** Whether there is a text for a channel in one of the languages that a user reads. */
export function hasText(
  templates: readonly ActiveTemplate[],
  channel: Channel,
  language: string | null,
): boolean {
  const languages = languageChain(language);
  const { textOf = channel } = rulesOfChannel(channel);
  return templates.some(
    (one) => (one.channel === channel || one.channel === textOf) && languages.includes(one.language),
  );
}
