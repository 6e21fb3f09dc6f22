import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App } from '../context.js';
import { answerLast, type OpenRequest } from '../edge/index.js';
import { callerOf } from '../platform/auth/caller.js';
import { registerMediaFiles } from './feed-media-files.js';
import { readForm, WRAPPING_BYTES } from './feed-media-form.js';
import { sendRefusal } from './refusals.js';
import type { RestDocument } from './rest-document.js';

interface Deps {
  readonly app: {
    readonly feed: Pick<App['feed'], 'media'>;
    readonly config: Pick<App['config'], 'media'>;
  };
  readonly openRequest: OpenRequest;
  /** How long an upload may send nothing before it counts as broken off; 30 s by default. */
  readonly silenceMs?: number;
  /** How long what a refused upload still sends is read; 5 s by default. */
  readonly lingerMs?: number;
}

const SILENCE_MS = 30_000;

const rest: RestDocument = {
  operationId: 'uploadMedia',
  tag: 'Media',
  summary: 'Uploads a picture or a video, for a post to show.',
  body: {
    description: 'A form with one file, in the field `file`.',
    schema: z.object({ file: z.file() }),
    mediaType: 'multipart/form-data',
  },
  answers: {
    201: {
      description: 'It is stored, and processed from now on.',
      schema: z.object({
        media_id: z.string(),
        kind: z.enum(['image', 'video']),
        state: z.enum(['uploaded', 'processing', 'ready', 'failed']),
      }),
    },
  },
  refusals: [403, 422],
};

/**
 * The REST face of media:
 *
 * - POST /api/v1/media, multipart with one file `file`: 201 `{ media_id, kind, state }`
 * - GET /media/{key}: the file, where the store is a folder; see `registerMediaFiles`
 *
 * Refusals are `{"error":{"code","message","path"}}`.
 */
export async function registerMediaRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const { media, s3, dir, maxBytes } = { ...deps.app.config.media, media: deps.app.feed.media };
  const limit = Math.max(maxBytes.image, maxBytes.video);
  await app.register(async (uploads) => {
    // The domain counts; a plugin's limit would cut a file short as if it ended there.
    const limits = { files: 1, fields: 10, parts: 11, fieldSize: 1_024, fileSize: Number.POSITIVE_INFINITY };
    await uploads.register(multipart, { limits });
    // The client gets every refusal, those of the gate included, though it is still sending.
    uploads.addHook('onSend', (request, reply, _payload, done) => {
      if (reply.statusCode >= 400)
        answerLast(request, reply, { ...(deps.lingerMs && { lingerMs: deps.lingerMs }), lingerBytes: limit });
      done();
    });
    const options = { bodyLimit: limit + WRAPPING_BYTES, config: { slowBody: true, rest } };
    uploads.post('/api/v1/media', options, async (request, reply) => {
      const caller = callerOf(await deps.openRequest(request, reply));
      cutSilent(request, reply, deps.silenceMs ?? SILENCE_MS);
      const file = await readForm(request, limit);
      if ('code' in file) return sendRefusal(reply, file);
      const result = await media.upload(caller, file);
      if (!result.ok) return sendRefusal(reply, file.fault ?? result.errors[0]!);
      const { mediaId, kind, state } = result.value;
      return reply.code(201).send({ media_id: mediaId, kind, state });
    });
  });
  await registerMediaFiles(app, s3 ? undefined : dir);
}

/** Cuts off a client that sends nothing any more, unless it is the store that does not keep up. */
function cutSilent({ raw }: FastifyRequest, reply: FastifyReply, afterMs: number): void {
  // A timeout of the response: with one of the request, Node itself would cut off a client that has sent everything.
  reply.raw.setTimeout(afterMs, () => {
    if (!raw.complete && raw.readableLength === 0) raw.destroy();
  });
}
