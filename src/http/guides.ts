import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** The guide that a refused client is pointed to, at `/docs/limits`, as Markdown. */
export function registerGuides(app: FastifyInstance): void {
  const limits = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
  app.get('/docs/limits', { config: { gate: 'open' } }, (_, reply) =>
    reply.type('text/markdown; charset=utf-8').send(limits),
  );
}
