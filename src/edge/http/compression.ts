import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

const THRESHOLD_BYTES = 1_024;
/** Above this, answers are compressed beside the event loop. */
const INLINE_BYTES = 32_768;
/** Not pictures and videos, which are compressed already, nor event streams, which would be delayed. */
const COMPRESSED = /^text\/(?!event-stream)|[/+]json(;|$)|[/+]xml(;|$)|^font\/ttf/;

/**
 * Compresses answers to clients that take it. To be awaited before any route is added.
 *
 * At the lowest levels: an answer is made for one client, and sent once (docs/decisions.md has figures).
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: THRESHOLD_BYTES,
    syncThreshold: INLINE_BYTES,
    customTypes: COMPRESSED,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 } },
    zlibOptions: { level: 1 },
    // What comes compressed is refused, as ever.
    globalDecompression: false,
  });
}
