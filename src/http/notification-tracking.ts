import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { App } from '../context.js';
import type { UserError } from '../platform/errors.js';
import { languageOf, sendPage, sendRefusalPage, UNCACHED } from './mail-page.js';
import { registerPreferencePage } from './notification-preferences.js';
import { sendRefusal } from './refusals.js';
import type { RestDocument } from './rest-document.js';
import { CONFIRM, unsubscribedPage, unsubscribePage } from './unsubscribe-page.js';

interface Deps {
  readonly app: Pick<App, 'notifications' | 'config'>;
}

/** One transparent pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Rules of rate limits name these routes by where they are unless TRACK_URL says otherwise. */
const UNSUBSCRIBE = '/t/unsubscribe';

/** Forms are short; a one-click body has 26 characters. */
const MAX_FORM_BYTES = 16_384;

const link = z.object({
  nid: z.string().describe('The notification.'),
  d: z.string().describe('The delivery.'),
  t: z.string().describe('When the mail was sent, in seconds since 1970.'),
  s: z.string().describe('The signature over all of it.'),
});
const ofLink = {
  tag: 'Links in mails',
  access: 'anyone',
  query: link,
  refusals: [403, 404],
} satisfies Partial<RestDocument>;
/** Of these a person sees pages. */
const ofPage = { ...ofLink, pages: [400, 403, 404] } satisfies Partial<RestDocument>;
const page = (description: string) => ({ description, schema: z.string(), mediaType: 'text/html' });

const documents = {
  open: {
    ...ofLink,
    operationId: 'openMail',
    summary: 'The pixel of a mail; records that it was opened where the link is signed.',
    query: link.partial(),
    answers: { 200: { description: 'A transparent pixel.', schema: z.file(), mediaType: 'image/gif' } },
    refusals: [],
  },
  click: {
    ...ofLink,
    operationId: 'followLink',
    summary: 'A link of a mail; records the click.',
    query: link.extend({ url: z.string().describe('Where the link leads.') }),
    answers: { 302: { description: 'To where the link leads.' } },
  },
  ask: {
    ...ofPage,
    operationId: 'askToUnsubscribe',
    summary: 'A page with a button, and a link to all preferences; changes nothing.',
    answers: { 200: page('The page.') },
  },
  unsubscribe: {
    ...ofPage,
    operationId: 'unsubscribe',
    summary: 'Ends mails of this kind (RFC 8058).',
    body: {
      description: 'What the button, or a mail client, posts. It may be anything.',
      schema: z.object({ 'List-Unsubscribe': z.literal('One-Click') }).partial(),
      mediaType: 'application/x-www-form-urlencoded',
    },
    answers: { 200: page('A page that says so.') },
  },
} satisfies Record<string, RestDocument>;

/**
 * Where mails' links lead, below the path of TRACK_URL; to follow them needs no token, since they are signed:
 *
 * - GET open: always a transparent pixel
 * - GET click: 302 to the link's target; 400 or 403 where the link is not ours
 * - GET unsubscribe: a page that asks (scanners fetch links, so it changes nothing); POST: done (RFC 8058)
 * - preferences: see `registerPreferencePage`
 *
 * HEAD answers the same and records nothing. Without a secret to sign with there are no such routes.
 */
export async function registerTracking(app: FastifyInstance, { app: parts }: Deps): Promise<void> {
  const { tracking, preferenceCentre } = parts.notifications;
  if (!tracking.isOn) return;
  const at = pathOf(parts.config.trackUrl);

  app.get(`${at}/open`, { config: { rest: documents.open, namedAs: '/t/open' } }, async (request, reply) => {
    await tracking.opened(request.query, request);
    // Readers' mail is on other sites.
    return reply
      .headers({ ...UNCACHED, 'cross-origin-resource-policy': 'cross-origin' })
      .type('image/gif')
      .send(GIF);
  });

  app.get(
    `${at}/click`,
    { config: { rest: documents.click, namedAs: '/t/click' } },
    async (request, reply) => {
      const target = await tracking.clicked(request.query, request);
      return target.ok
        ? reply.headers(UNCACHED).redirect(target.value, 302)
        : refuse(reply, target.errors[0]!);
    },
  );

  app.get(
    `${at}/unsubscribe`,
    { config: { rest: documents.ask, namedAs: UNSUBSCRIBE } },
    async (request, reply) => {
      const preferences = preferenceCentre.preferencesLink(request.query);
      const language = languageOf(request, await preferenceCentre.languageBehind(request.query));
      if (!preferences.ok) return sendRefusalPage(reply, language, preferences.errors[0]!);
      return sendPage(reply, language, unsubscribePage(preferences.value));
    },
  );

  await app.register(async (forms) => {
    // The URL has all that is needed; the form only distinguishes a mail client from our button, however it is encoded.
    forms.removeAllContentTypeParsers();
    const options = { parseAs: 'string', bodyLimit: MAX_FORM_BYTES } as const;
    forms.addContentTypeParser('*', options, (_request, text, done) => done(null, text));
    const config = { rest: documents.unsubscribe, namedAs: UNSUBSCRIBE };
    forms.post<{ Body?: string }>(`${at}/unsubscribe`, { config }, async (request, reply) => {
      const via = request.body?.includes(CONFIRM) ? 'page' : 'one_click';
      const done = await tracking.unsubscribe(request.query, via);
      // No person reads what a mail client is answered.
      const preferred = via === 'page' ? await preferenceCentre.languageBehind(request.query) : null;
      const language = languageOf(request, preferred);
      const preferences = preferenceCentre.preferencesLink(request.query);
      if (!done.ok) return sendRefusalPage(reply, language, done.errors[0]!);
      return sendPage(reply, language, unsubscribedPage(preferences.ok ? preferences.value : ''));
    });
  });

  await registerPreferencePage(app, { app: parts, at, link });
}

/** Fastify takes a colon in a pattern for a parameter unless it stands twice. */
const pathOf = (trackUrl: string): string =>
  new URL(trackUrl).pathname.replace(/(?<!\/)\/+$/, '').replaceAll(':', '::');

const refuse = (reply: FastifyReply, error: UserError): FastifyReply =>
  sendRefusal(reply.headers(UNCACHED), error);
