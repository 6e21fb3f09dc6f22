import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { App } from '../context.js';
import { readSendGridCallback, readTwilioCallback } from '../domains/notifications/index.js';
import { PublicError } from '../platform/errors.js';
import { reportOfMail, reportOfSms } from './provider-reports.js';
import { sendRefusal } from './refusals.js';
import type { RestDocument } from './rest-document.js';

interface Deps {
  readonly app: Pick<App, 'notifications' | 'config' | 'clock'>;
}

const fromProvider: Pick<RestDocument, 'tag' | 'access' | 'answers' | 'refusals'> = {
  tag: 'Provider callbacks',
  access: 'anyone',
  answers: { 204: { description: 'It is recorded, or changes nothing.' } },
  refusals: [403, 404],
};

const ofTwilio: RestDocument = {
  ...fromProvider,
  operationId: 'reportFromTwilio',
  summary: "Twilio's status callback.",
  headers: z.object({ 'X-Twilio-Signature': z.string() }),
  body: {
    description: 'The form that Twilio posts.',
    schema: z.looseObject({ MessageSid: z.string(), MessageStatus: z.string() }),
    mediaType: 'application/x-www-form-urlencoded',
  },
};

const ofSendGrid: RestDocument = {
  ...fromProvider,
  operationId: 'reportFromSendGrid',
  summary: "SendGrid's event webhook.",
  headers: z.object({
    'X-Twilio-Email-Event-Webhook-Signature': z.string(),
    'X-Twilio-Email-Event-Webhook-Timestamp': z.string(),
  }),
  body: {
    description: 'The events that SendGrid posts.',
    schema: z.array(z.looseObject({ event: z.string() })),
  },
};

/**
 * Providers sign the body's very bytes, so here it stays unparsed. 2xx says that it is recorded, or changes nothing; what
 * cannot be recorded now answers 5xx, upon which a provider repeats it.
 */
export function registerProviderCallbacks(app: FastifyInstance, { app: parts }: Deps): void {
  const { notifications, config, clock } = parts;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));

  app.post<{ Body: Buffer }>(
    '/api/v1/callbacks/twilio',
    { config: { rest: ofTwilio } },
    async (request, reply) => {
      const { twilio } = config.providers;
      if (!twilio) throw switchedOff();
      const callback = {
        url: `${config.baseUrl}${request.url}`,
        body: bytesOf(request.body).toString('utf8'),
      };
      const status = readTwilioCallback(callback, request.headers, twilio);
      if (!status.ok) return sendRefusal(reply, status.errors[0]!);
      if (status.value) await notifications.report(reportOfSms(status.value), request.id);
      return reply.code(204).send();
    },
  );

  app.post<{ Body: Buffer }>(
    '/api/v1/callbacks/sendgrid',
    { config: { rest: ofSendGrid } },
    async (request, reply) => {
      const { sendgrid } = config.providers;
      if (!sendgrid) throw switchedOff();
      const events = readSendGridCallback(bytesOf(request.body), request.headers, sendgrid, clock);
      if (!events.ok) return sendRefusal(reply, events.errors[0]!);
      await notifications.reportAll(events.value.map(reportOfMail), request.id);
      return reply.code(204).send();
    },
  );
}

const bytesOf = (body: Buffer | undefined): Buffer => body ?? Buffer.alloc(0);

const switchedOff = (): PublicError => new PublicError('NOT_FOUND', 'This provider is not configured');
