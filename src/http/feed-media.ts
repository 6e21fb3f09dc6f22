import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../context.js';
import type { OpenRequest } from '../edge/index.js';
import { callerOf } from '../platform/caller.js';
import type { UserError } from '../platform/errors.js';
import { registerMediaFiles } from './feed-media-files.js';
import { readForm, WRAPPING_BYTES } from './feed-media-form.js';

interface Deps {
  readonly app: {
    readonly feed: Pick<App['feed'], 'media'>;
    readonly config: Pick<App['config'], 'media'>;
  };
  readonly openRequest: OpenRequest;
  /** How long an upload may send nothing before it counts as broken off; 30 s unless told. */
  readonly silenceMs?: number;
}

const SILENCE_MS = 30_000;

const statuses: Readonly<Record<string, number>> = {
  MEDIA_TOO_LARGE: 413,
  MEDIA_TYPE_UNSUPPORTED: 415,
  UNSUPPORTED_MEDIA_TYPE: 415,
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
  const { media, s3, maxBytes } = { ...deps.app.config.media, media: deps.app.feed.media };
  const limit = Math.max(maxBytes.image, maxBytes.video);
  await app.register(async (uploads) => {
    // The domain counts; a plugin's limit would cut a file short as if it ended there.
    const limits = { files: 1, fields: 10, parts: 11, fieldSize: 1_024, fileSize: Number.POSITIVE_INFINITY };
    await uploads.register(multipart, { limits });
    const options = { bodyLimit: limit + WRAPPING_BYTES, config: { slowBody: true } };
    uploads.post('/api/v1/media', options, async (request, reply) => {
      const caller = callerOf(await deps.openRequest(request, reply));
      cutSilent(request, deps.silenceMs ?? SILENCE_MS);
      const file = await readForm(request, limit);
      if ('code' in file) return refuse(reply, file);
      const result = await media.upload(caller, file);
      if (!result.ok) return refuse(reply, file.fault ?? result.errors[0]!);
      const { mediaId, kind, state } = result.value;
      return reply.code(201).send({ media_id: mediaId, kind, state });
    });
  });
  if (!s3) await registerMediaFiles(app, deps.app.config.media.dir);
}

/** Whoever sends nothing any more is cut off; where it is the store that does not keep up, nobody is. */
function cutSilent({ raw }: FastifyRequest, afterMs: number): void {
  raw.setTimeout(afterMs, () => {
    if (!raw.complete && raw.readableLength === 0) raw.destroy();
  });
}

/** What still arrives of the body is of no use: the connection goes with it. */
function refuse(reply: FastifyReply, { code, message, path }: UserError): FastifyReply {
  return reply
    .code(statuses[code] ?? 400)
    .header('connection', 'close')
    .send({ error: { code, message, path: path ?? null } });
}
