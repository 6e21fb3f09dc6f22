import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { UserError } from '../platform/errors.js';
import { type MailPageLanguage, type MailPageTexts, mailPageTexts } from './mail-page-texts.js';
import { statusOf } from './refusals.js';

/** In the colours of the reader's device; nothing is loaded. */
const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: CanvasText; background: Canvas }
main { max-width: 36rem; margin: 0 auto; padding: 1.5rem 1rem }
h1 { line-height: 1.2 }
fieldset { margin: 0 0 1rem; padding: .5rem 1rem 1rem; border: 1px solid GrayText; border-radius: .5rem }
legend { font-weight: bold; padding: 0 .25rem }
label { display: inline-block; margin: .5rem 1.5rem 0 0 }
button { font: inherit; padding: .5rem 1.25rem; cursor: pointer }
select { font: inherit }
[role=status] { padding: .5rem 1rem; border: 2px solid; border-radius: .5rem }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
`;

/** No script and nothing from elsewhere; the style is the one above. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Of everything behind links in mails: the address is a secret of its reader. */
export const UNCACHED = { 'cache-control': 'no-store, private', 'referrer-policy': 'no-referrer' };

/** What a page shows, in its language. */
export interface MailPage {
  readonly title: string;
  /** HTML. */
  readonly content: string;
}

/** Text as it stands in HTML, attributes too. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * The language of a reader's pages: the one that they have set, else the one that their browser asks for.
 *
 * @param preferred of their settings: `pt-BR` is served by `pt`
 */
export function languageOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  preferred: string | null,
): MailPageLanguage {
  const base = preferred?.split('-', 1)[0]?.toLowerCase() ?? '';
  if (isLanguageOfPages(base)) return base;
  const [asked = 'en'] = new Negotiator({ headers }).languages(Object.keys(mailPageTexts));
  return isLanguageOfPages(asked) ? asked : 'en';
}

const isLanguageOfPages = (code: string): code is MailPageLanguage => Object.hasOwn(mailPageTexts, code);

/** Sends a page that neither loads nor runs anything, and that nobody keeps. */
export function sendPage(
  reply: FastifyReply,
  language: MailPageLanguage,
  make: (texts: MailPageTexts) => MailPage,
): FastifyReply {
  const { title, content } = make(mailPageTexts[language]);
  return reply
    .headers(UNCACHED)
    .header('content-security-policy', POLICY)
    .header('content-language', language)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`);
}

/** Says to a person why a link, or what they chose, is refused, under the status that REST has for it. */
export function sendRefusalPage(
  reply: FastifyReply,
  language: MailPageLanguage,
  error: UserError,
): FastifyReply {
  return sendPage(reply.code(statusOf(error)), language, (texts) => problemPage(texts, problemOf(error)));
}

export const problemPage = (
  { problems }: MailPageTexts,
  problem: Exclude<keyof MailPageTexts['problems'], 'title'>,
): MailPage => ({ title: problems.title, content: `<p>${escapeHtml(problems[problem])}</p>` });

function problemOf({ code }: UserError): Parameters<typeof problemPage>[1] {
  if (code === 'LINK_MALFORMED' || code === 'SIGNATURE_REFUSED') return 'link';
  return code === 'DELIVERY_NOT_FOUND' ? 'old' : 'outdated';
}
