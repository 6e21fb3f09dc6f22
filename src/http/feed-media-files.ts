import path from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { cacheControlOf, isServed } from '../domains/feed/index.js';
import { PublicError } from '../platform/errors.js';

/**
 * GET /media/{key}: files of the disk store, whole or in ranges, for a CDN to fetch or, without one, for readers. Only
 * keys of finished files are looked for at all, so no path leads anywhere else. Nothing passes the gate here: a CDN
 * asks for everybody.
 */
export async function registerMediaFiles(app: FastifyInstance, dir: string): Promise<void> {
  await app.register(async (served) => {
    await served.register(files, {
      root: path.resolve(dir),
      serve: false,
      cacheControl: false,
      dotfiles: 'deny',
    });
    served.get<{ Params: { '*': string } }>('/media/*', { config: { gate: 'open' } }, (request, reply) => {
      const key = request.params['*'];
      if (!isServed(key)) throw new PublicError('NOT_FOUND', 'There is no such file');
      // Whatever a file turns out to hold, a browser runs nothing of it here.
      return reply
        .header('cache-control', cacheControlOf(key))
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('content-disposition', 'inline')
        .header('cross-origin-resource-policy', 'cross-origin')
        .sendFile(key);
    });
  });
}
