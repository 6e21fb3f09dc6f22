import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/**
 * Makes the handler of a route whose answer is the same for everyone as long as the process lives. It is compressed once for
 * all its readers, and sent, or 304 where the client has it; caches may keep it for five minutes.
 */
export function fixedAnswer(mediaType: string, text: string) {
  const hash = createHash('sha256').update(text).digest('base64url');
  // Weak: its compressed forms are the same text.
  const etag = `W/"${hash}"`;
  const gzipped = gzipSync(text);
  return ({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    reply.header('etag', etag).header('cache-control', 'public, max-age=300');
    if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send();
    reply.type(mediaType);
    if (!takesGzip(headers)) return reply.send(text);
    return reply.header('content-encoding', 'gzip').send(gzipped);
  };
}

const weak = (etag: string): string => etag.trim().replace(/^W\//, '');

const isKnown = (known: string | undefined, etag: string): boolean =>
  known?.trim() === '*' || (known?.split(',').some((one) => weak(one) === weak(etag)) ?? false);

const takesGzip = (headers: IncomingHttpHeaders): boolean =>
  headers['accept-encoding'] !== undefined && new Negotiator({ headers }).encodings(['gzip']).length > 0;
