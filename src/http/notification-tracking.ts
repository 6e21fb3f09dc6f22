import type { FastifyInstance, FastifyReply } from 'fastify';
import type { App } from '../context.js';
import type { UserError } from '../platform/errors.js';
import { CONFIRM, unsubscribedPage, unsubscribePage } from './unsubscribe-page.js';

interface Deps {
  readonly app: Pick<App, 'notifications' | 'config'>;
}

/** One transparent pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Forms are short; a one-click body has 26 characters. */
const MAX_FORM_BYTES = 16_384;

/**
 * Where mails' links lead, below the path of TRACK_URL; whoever follows them needs no token, since they are signed:
 *
 * - GET open: always a transparent pixel
 * - GET click: 302 to the link's target; 400 or 403 where the link is not ours
 * - GET unsubscribe: a page that asks (scanners fetch links, so it changes nothing); POST: done (RFC 8058)
 *
 * HEAD answers the same and records nothing. Without a secret to sign with there are no such routes.
 */
export function registerTracking(app: FastifyInstance, { app: parts }: Deps): void {
  const { tracking } = parts.notifications;
  if (!tracking.isOn) return;
  const at = pathOf(parts.config.trackUrl);

  app.get(`${at}/open`, async (request, reply) => {
    await tracking.opened(request.query, request);
    return reply.headers(UNCACHED).type('image/gif').send(GIF);
  });

  app.get(`${at}/click`, async (request, reply) => {
    const target = await tracking.clicked(request.query, request);
    return target.ok ? reply.headers(UNCACHED).redirect(target.value, 302) : refuse(reply, target.errors[0]!);
  });

  app.get(`${at}/unsubscribe`, async (request, reply) => {
    const may = tracking.mayUnsubscribe(request.query);
    return may.ok ? sendPage(reply, unsubscribePage) : refuse(reply, may.errors[0]!);
  });

  app.register(async (forms) => {
    // The address says all; the form only tells a mail client from our button, in whichever way it is encoded.
    forms.removeAllContentTypeParsers();
    const options = { parseAs: 'string', bodyLimit: MAX_FORM_BYTES } as const;
    forms.addContentTypeParser('*', options, (_request, text, done) => done(null, text));
    forms.post<{ Body?: string }>(`${at}/unsubscribe`, async (request, reply) => {
      const via = request.body?.includes(CONFIRM) ? 'page' : 'one_click';
      const done = await tracking.unsubscribe(request.query, via);
      return done.ok ? sendPage(reply, unsubscribedPage) : refuse(reply, done.errors[0]!);
    });
  });
}

/** Fastify takes a colon in a pattern for a parameter unless it stands twice. */
const pathOf = (trackUrl: string): string =>
  new URL(trackUrl).pathname.replace(/\/+$/, '').replaceAll(':', '::');

const UNCACHED = { 'cache-control': 'no-store, private', 'referrer-policy': 'no-referrer' };

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers(UNCACHED)
    .header('content-security-policy', "default-src 'none'; form-action 'self'; frame-ancestors 'none'")
    .type('text/html; charset=utf-8')
    .send(html);
}

function refuse(reply: FastifyReply, { code, message }: UserError): FastifyReply {
  const status = code === 'LINK_MALFORMED' ? 400 : code === 'DELIVERY_NOT_FOUND' ? 404 : 403;
  return reply
    .headers(UNCACHED)
    .code(status)
    .send({ error: { code, message, path: null } });
}
