import type { Caller } from '../../../platform/auth/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Ids } from '../../../platform/ids.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Queues } from '../../../platform/queues/queues.js';
import type { Media } from '../types.js';
import type { MediaConfig } from './config.js';
import { type Content, detectContent, HEAD_BYTES } from './content.js';
import { newIncomingKey } from './keys.js';
import { type MediaRow, toMedia } from './media.js';
import { enqueueMedia } from './media-task.js';
import type { MediaStore } from './store.js';
import { sql } from './upload.sql.js';

interface Deps {
  readonly postgres: Queryable;
  readonly store: MediaStore;
  readonly queues: Pick<Queues, 'enqueueMany'>;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly maxBytes: MediaConfig['maxBytes'];
  readonly cdnUrl: string;
}

/** The upload is at fault, not the store. */
class Fault extends Error {
  constructor(readonly code: 'MEDIA_TOO_LARGE' | 'UPLOAD_INCOMPLETE') {
    super(code);
  }
}

/**
 * Accepts an upload: streams it to the store, writes its row, and enqueues its processing. An upload that fails leaves
 * neither a file nor a row, also where the process is killed: then the sweeper removes both.
 * Codes: MEDIA_EMPTY, MEDIA_TYPE_UNSUPPORTED, MEDIA_TOO_LARGE, UPLOAD_INCOMPLETE.
 *
 * @param body fails where the upload breaks off
 */
export async function uploadMedia(
  deps: Deps,
  caller: Caller,
  body: AsyncIterable<Uint8Array>,
): Promise<Result<Media>> {
  try {
    const bytes = body[Symbol.asyncIterator]();
    const head = await readHead(bytes);
    if (head.length === 0) return refused('MEDIA_EMPTY', 'The file is empty', ['file']);
    const content = await detectContent(head);
    if (!content) {
      const message =
        'Only JPEG, PNG, WebP, GIF and AVIF images and MP4, WebM and QuickTime videos are taken';
      return refused('MEDIA_TYPE_UNSUPPORTED', message, ['file']);
    }
    const upload = new Upload(head, bytes, deps.maxBytes[content.kind]);
    return ok(toMedia(await keep(deps, caller, content, upload), deps.cdnUrl));
  } catch (error) {
    if (error instanceof Fault) return refused(error.code, describe(error, deps.maxBytes), ['file']);
    throw error;
  }
}

const describe = ({ code }: Fault, { image, video }: MediaConfig['maxBytes']): string =>
  code === 'UPLOAD_INCOMPLETE'
    ? 'The upload broke off'
    : `An image has at most ${sizeOf(image)}, a video at most ${sizeOf(video)}`;

const MEGABYTE = 1024 * 1024;

const sizeOf = (bytes: number): string =>
  bytes < MEGABYTE ? `${bytes} bytes` : `${Math.floor((bytes / MEGABYTE) * 10) / 10} MB`;

async function keep(deps: Deps, caller: Caller, content: Content, upload: Upload): Promise<MediaRow> {
  const { postgres, store } = deps;
  const mediaId = deps.ids.next();
  const key = newIncomingKey();
  await postgres.query(sql.begin, [mediaId, caller.viewer.userId, content.kind, content.contentType, key]);
  try {
    // What is not processed yet is not served: no cache may keep it.
    await store.put(key, upload, { contentType: content.contentType, cacheControl: 'private, no-store' });
  } catch (error) {
    // A store that did not answer may have stored it all the same. Where it does not answer now either, the row stays, and
    // the sweeper removes both.
    await store
      .remove([key])
      .then(() => postgres.query(sql.abandon, [mediaId]))
      .catch((left: unknown) =>
        deps.logger.warn({ err: left, mediaId }, 'an upload that failed is left to the sweeper'),
      );
    throw error;
  }
  const { rows } = await postgres.query(sql.complete, [mediaId, upload.size]);
  if (!rows[0]) {
    await store.remove([key]);
    throw new Fault('UPLOAD_INCOMPLETE');
  }
  const turn = { ownerId: caller.viewer.userId, kind: content.kind };
  await enqueueMedia(deps.queues, [turn], caller.correlationId).catch((error: unknown) =>
    deps.logger.warn(
      { err: error, mediaId },
      'the processing of an upload was not enqueued; the sweeper enqueues it later',
    ),
  );
  return rows[0];
}

/** Enough of the file to find its type, or all of it. */
async function readHead(bytes: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < HEAD_BYTES; ) {
    const { done, value } = await next(bytes);
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  return Buffer.concat(chunks);
}

/** A source that fails is an incomplete upload. */
const next = (bytes: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> =>
  bytes.next().catch(() => {
    throw new Fault('UPLOAD_INCOMPLETE');
  });

/** The whole file again, counted while it is read. */
class Upload implements AsyncIterable<Uint8Array> {
  size = 0;

  constructor(
    private readonly head: Uint8Array,
    private readonly rest: AsyncIterator<Uint8Array>,
    private readonly maxBytes: number,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    yield this.counted(this.head);
    for (let step = await next(this.rest); !step.done; step = await next(this.rest)) {
      yield this.counted(step.value);
    }
  }

  private counted(chunk: Uint8Array): Uint8Array {
    this.size += chunk.length;
    if (this.size > this.maxBytes) throw new Fault('MEDIA_TOO_LARGE');
    return chunk;
  }
}
