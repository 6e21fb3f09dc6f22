import type { FastifyInstance } from 'fastify';
import type { App } from '../context.js';
import { callbackPath, providers } from '../domains/notifications/index.js';
import { PublicError } from '../platform/errors.js';
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

/**
 * Providers sign the body's very bytes, so here it stays unparsed. 2xx says that it is recorded, or changes nothing; what
 * cannot be recorded now answers 5xx, upon which a provider repeats it.
 */
export function registerProviderCallbacks(app: FastifyInstance, { app: parts }: Deps): void {
  const { notifications, config, clock } = parts;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));

  for (const { key, name, callback } of providers) {
    if (!callback) continue;
    const rest: RestDocument = { ...fromProvider, ...callback.about };
    app.post<{ Body: Buffer | undefined }>(
      callbackPath(name),
      { config: { rest } },
      async (request, reply) => {
        const own = config.providers[key];
        if (!own) throw new PublicError('NOT_FOUND', 'This provider is not configured');
        const { headers, body = Buffer.alloc(0) } = request;
        const reports = callback.read({ url: `${config.baseUrl}${request.url}`, body, headers }, own, clock);
        if (!reports.ok) return sendRefusal(reply, reports.errors[0]!);
        await notifications.suppressions.choose(reports.value.filter((report) => 'choice' in report));
        await notifications.reportAll(
          reports.value.filter((report) => 'deliveryId' in report),
          request.id,
        );
        return reply.code(204).send();
      },
    );
  }
}
