import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { App } from '../context.js';
import { unavailability } from '../platform/unavailable.js';
import { languageOf, problemPage, sendPage, sendRefusalPage, UNCACHED } from './mail-page.js';
import { readPreferenceForm } from './preference-form.js';
import { preferencePage } from './preference-page.js';
import type { RestDocument } from './rest-document.js';

interface Deps {
  readonly app: Pick<App, 'notifications'>;
  /** The path below which links in mails lead. */
  readonly at: string;
  /** What a signed link has in its query string. */
  readonly link: z.ZodObject;
}

const FORM = 'application/x-www-form-urlencoded';
/** 50 types on four channels, each twice. */
const MAX_FORM_BYTES = 65_536;
/** Where it stands in the address, the page says that choices are saved. */
const SAVED = 'saved';

/** For rules of rate limits, wherever TRACK_URL puts it. */
const NAMED_AS = '/t/preferences';

/**
 * The page behind a signed link on which a person sees and changes what they get, without an account:
 *
 * - GET preferences: shows it; changes nothing, since scanners follow links
 * - POST preferences: changes what they changed, then 303 to the page, which says so
 *
 * Who does not hold the link can post nothing: the link is the token of the form.
 */
export async function registerPreferencePage(
  app: FastifyInstance,
  { app: parts, at, link }: Deps,
): Promise<void> {
  const { preferenceCentre } = parts.notifications;
  const path = `${at}/preferences`;
  const documents = documentsOf(link);

  await app.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => {
      const away = unavailability(error);
      if (!away) throw error;
      reply.code(503).header('retry-after', String(away.retryAfterSeconds));
      return sendPage(reply, languageOf(request, null), (texts) => problemPage(texts, 'away'));
    });
    pages.removeAllContentTypeParsers();
    const options = { parseAs: 'string', bodyLimit: MAX_FORM_BYTES } as const;
    pages.addContentTypeParser(FORM, options, (_request, text, done) => done(null, text));

    pages.get<{ Querystring: Record<string, unknown> }>(
      path,
      { config: { rest: documents.show, namedAs: NAMED_AS } },
      async (request, reply) => {
        const page = await preferenceCentre.readPreferencePage(request.query);
        if (!page.ok) return sendRefusalPage(reply, languageOf(request, null), page.errors[0]!);
        const make = preferencePage(page.value, SAVED in request.query);
        return sendPage(reply, languageOf(request, page.value.language), make);
      },
    );

    pages.post<{ Body?: string }>(
      path,
      { config: { rest: documents.change, namedAs: NAMED_AS } },
      async (request, reply) => {
        const change = readPreferenceForm(request.body ?? '');
        const done = change.ok
          ? await preferenceCentre.changePreferences(request.query, change.value)
          : change;
        if (!done.ok) return sendRefusalPage(reply, languageOf(request, null), done.errors[0]!);
        const search = new URLSearchParams(request.url.split('?')[1]);
        search.set(SAVED, '1');
        return reply.headers(UNCACHED).redirect(`preferences?${search}`, 303);
      },
    );
  });
}

const page = {
  description: 'The page, in the language of the person.',
  schema: z.string(),
  mediaType: 'text/html',
};

function documentsOf(link: z.ZodObject) {
  const ofLink = {
    tag: 'Links in mails',
    access: 'anyone',
    refusals: [403, 404],
    pages: [400, 403, 404, 503],
  } satisfies Partial<RestDocument>;
  return {
    show: {
      ...ofLink,
      operationId: 'showPreferences',
      summary: 'A page with what a person gets and how; changes nothing.',
      query: link.extend({
        [SAVED]: z.string().optional().describe('Whether the page says that choices are saved.'),
      }),
      answers: { 200: page },
    },
    change: {
      ...ofLink,
      operationId: 'changePreferences',
      summary: 'Changes what a person changed on that page.',
      query: link,
      body: {
        description: 'What the form of the page posts.',
        schema: z.record(z.string(), z.string()),
        mediaType: FORM,
      },
      answers: { 303: { description: 'To the page, which says that the choices are saved.' } },
    },
  } satisfies Record<string, RestDocument>;
}
