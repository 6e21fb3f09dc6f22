import type { FastifyInstance, FastifyReply } from 'fastify';
import type { App } from '../context.js';
import {
  type MailEvent,
  type ProviderReport,
  readSendGridCallback,
  readTwilioCallback,
  type TwilioStatus,
} from '../domains/notifications/index.js';
import { PublicError, type UserError } from '../platform/errors.js';

interface Deps {
  readonly app: Pick<App, 'notifications' | 'config' | 'clock'>;
}

/** Providers sign the body's very bytes, so here it stays unparsed. */
export function registerProviderCallbacks(app: FastifyInstance, { app: parts }: Deps): void {
  const { notifications, config, clock } = parts;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));

  app.post<{ Body: Buffer }>('/api/v1/callbacks/twilio', async (request, reply) => {
    const { twilio } = config.providers;
    if (!twilio) throw switchedOff();
    const callback = { url: `${config.baseUrl}${request.url}`, body: bytesOf(request.body).toString('utf8') };
    const status = readTwilioCallback(callback, request.headers, twilio);
    if (!status.ok) return refuse(reply, status.errors[0]!);
    const report = reportOfSms(status.value);
    if (report) await notifications.report(report, request.id);
    return reply.code(204).send();
  });

  app.post<{ Body: Buffer }>('/api/v1/callbacks/sendgrid', async (request, reply) => {
    const { sendgrid } = config.providers;
    if (!sendgrid) throw switchedOff();
    const events = readSendGridCallback(bytesOf(request.body), request.headers, sendgrid, clock);
    if (!events.ok) return refuse(reply, events.errors[0]!);
    for (const event of events.value) {
      const report = reportOfMail(event);
      if (report) await notifications.report(report, request.id);
    }
    return reply.code(204).send();
  });
}

const bytesOf = (body: Buffer | undefined): Buffer => body ?? Buffer.alloc(0);

const switchedOff = (): PublicError => new PublicError('NOT_FOUND', 'This provider is not configured');

function refuse(reply: FastifyReply, { code, message }: UserError): FastifyReply {
  const status = code === 'CALLBACK_MALFORMED' ? 400 : code === 'WEBHOOK_OFF' ? 404 : 403;
  return reply.code(status).send({ error: { code, message, path: null } });
}

/** The ends of the document's SMS status chain; what lies before them tells nothing new. */
function reportOfSms({ deliveryId, messageSid, status, errorCode }: TwilioStatus): ProviderReport | null {
  const base = { deliveryId, providerId: messageSid };
  switch (status) {
    case 'delivered':
    case 'read':
      return { ...base, kind: 'delivered' };
    case 'undelivered':
    case 'failed':
    case 'canceled':
      return { ...base, kind: 'failed', reason: errorCode ? `${status}: ${errorCode}` : status };
    default:
      return null;
  }
}

/** Unsubscribing and deferral change no delivery. */
function reportOfMail({ deliveryId, kind, messageId, reason }: MailEvent): ProviderReport | null {
  const base = { deliveryId, providerId: messageId };
  switch (kind) {
    case 'delivered':
      return { ...base, kind: 'delivered' };
    case 'open':
      return { ...base, kind: 'opened' };
    case 'click':
      return { ...base, kind: 'clicked' };
    case 'bounce':
    case 'dropped':
      return { ...base, kind: 'failed', reason: reason ? `${kind}: ${reason}` : kind };
    default:
      return null;
  }
}
