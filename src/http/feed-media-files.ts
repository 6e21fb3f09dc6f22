import path from 'node:path';
import files from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cacheControlOf, isServed } from '../domains/feed/index.js';
import { PublicError } from '../platform/errors.js';

/**
 * GET /media/{key}: files of the disk store, whole or in ranges, for a CDN to fetch or, without one, for readers. Only
 * keys of finished files are looked for at all, so no path leads anywhere else. Nothing passes the gate here: a CDN
 * asks for everybody. Nobody keeps a refusal: the file may be there the next moment.
 */
export async function registerMediaFiles(app: FastifyInstance, dir: string): Promise<void> {
  const root = path.resolve(dir);
  await app.register(async (served) => {
    await served.register(files, {
      root,
      serve: false,
      cacheControl: false,
      dotfiles: 'deny',
      setHeaders: (reply, file) => reply.header('cache-control', cacheControlOf(path.relative(root, file))),
    });
    const options = { config: { gate: 'open' }, errorHandler: refuseCondition } as const;
    served.get<{ Params: { '*': string } }>('/media/*', options, (request, reply) => {
      const key = request.params['*'];
      reply.header('cache-control', 'no-store');
      if (!isServed(key)) throw new PublicError('NOT_FOUND', 'There is no such file');
      // Whatever a file turns out to hold, a browser runs nothing of it here.
      return reply
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('content-disposition', 'inline')
        .header('cross-origin-resource-policy', 'cross-origin')
        .sendFile(key);
    });
  });
}

/** What a request's headers ask for that the file cannot give; all else is for the edge to answer. */
const refusals: Readonly<Record<number, { readonly code: string; readonly message: string }>> = {
  412: { code: 'PRECONDITION_FAILED', message: 'The file is not as the request wants it to be' },
  416: { code: 'RANGE_NOT_SATISFIABLE', message: 'The file ends before this range begins' },
};

function refuseCondition(
  error: FastifyError & { headers?: Record<string, string> },
  _: FastifyRequest,
  reply: FastifyReply,
) {
  const status = error.statusCode ?? 500;
  const refusal = refusals[status];
  if (!refusal) throw error;
  return reply
    .code(status)
    .headers(error.headers ?? {})
    .send({ error: { ...refusal, path: null } });
}
