import path from 'node:path';
import files from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cacheControlOf, isServed } from '../domains/feed/index.js';
import { PublicError } from '../platform/errors.js';
import type { RestDocument } from './rest-document.js';

const file = z.file();
const rest: RestDocument = {
  operationId: 'readMediaFile',
  tag: 'Media',
  summary: 'Reads a file of a picture or a video, whole or in ranges.',
  access: 'anyone',
  params: z.object({
    '*': z.string().describe('The key, as the URLs of media have it; it may have slashes.'),
  }),
  answers: {
    200: { description: 'The file.', schema: file, mediaType: '*/*' },
    206: { description: 'The range.', schema: file, mediaType: '*/*' },
    304: { description: 'The file is as the client has it.' },
  },
  refusals: [404, 412, 416],
};

/**
 * GET /media/{key}: files of the disk store, whole or in ranges, for a CDN to fetch or, without one, for readers. Only
 * keys of finished files are looked for at all, so no path leads anywhere else. Nobody keeps a refusal: the file may be
 * there the next moment. Where the store is not on disk there is no file, and yet a route: the shipped rules name it.
 *
 * @param dir the disk store's; undefined where files are elsewhere
 */
export async function registerMediaFiles(app: FastifyInstance, dir: string | undefined): Promise<void> {
  if (dir === undefined) {
    app.get('/media/*', refuseAbsent);
    return;
  }
  const root = path.resolve(dir);
  await app.register(async (served) => {
    await served.register(files, {
      root,
      serve: false,
      cacheControl: false,
      dotfiles: 'deny',
      setHeaders: (reply, file) => reply.header('cache-control', cacheControlOf(path.relative(root, file))),
    });
    const options = { config: { rest }, errorHandler: refuseCondition } as const;
    served.get<{ Params: { '*': string } }>('/media/*', options, (request, reply) => {
      const key = request.params['*'];
      reply.header('cache-control', 'no-store');
      if (!isServed(key)) refuseAbsent();
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

function refuseAbsent(): never {
  throw new PublicError('NOT_FOUND', 'There is no such file');
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
