import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A text that is the same for everyone as long as the process lives. */
export interface FixedAnswer {
  readonly mediaType: string;
  readonly text: string;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/** Compresses it, once for all its readers. */
export function fixedAnswer(mediaType: string, text: string): FixedAnswer {
  const hash = createHash('sha256').update(text).digest('base64url');
  // Weak: its compressed forms are the same text.
  return { mediaType, text, gzipped: gzipSync(text), etag: `W/"${hash}"` };
}

/** Sends it, or 304 where the client has it; caches may keep it for five minutes. */
export function sendFixed(request: FastifyRequest, reply: FastifyReply, fixed: FixedAnswer): FastifyReply {
  reply.header('etag', fixed.etag).header('cache-control', 'public, max-age=300');
  if (isKnown(request.headers['if-none-match'], fixed.etag)) return reply.code(304).send();
  reply.type(fixed.mediaType);
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(fixed.text);
  return reply.header('content-encoding', 'gzip').send(fixed.gzipped);
}

const weak = (etag: string): string => etag.trim().replace(/^W\//, '');

const isKnown = (known: string | undefined, etag: string): boolean =>
  known?.trim() === '*' || (known?.split(',').some((one) => weak(one) === weak(etag)) ?? false);

const takesGzip = (accepted: string | string[] | undefined): boolean =>
  /(^|,)\s*gzip\s*(?!\s*;\s*q=0(\.0*)?\s*(,|$))(;|,|$)/i.test(String(accepted ?? ''));
