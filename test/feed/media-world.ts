import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createMediaUploads, type MediaUploads } from '../../src/domains/feed/media/index.js';
import { createDiskStore, type MediaStore } from '../../src/domains/feed/media/store.js';
import type { Clock } from '../../src/platform/clock.js';
import { createEventLog, type EventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import type { Queues } from '../../src/platform/queues/queues.js';
import { createTestDatabase } from '../support/database.js';
import { callerOf } from './feed-callers.js';

export { photograph, picture, pngClaiming } from './media-pictures.js';

export const CDN = 'https://cdn.test';
export const MAX_VIDEO_SECONDS = 5;
export const silent = pino({ level: 'silent' });

/** Media on a real Postgres and a folder of their own, with processing run by hand so that a test decides when. */
export interface MediaWorld {
  readonly media: MediaUploads;
  readonly log: EventLog;
  readonly postgres: Postgres;
  readonly clock: Clock & { ms: number };
  readonly dir: string;
  readonly maxBytes: { readonly image: number; readonly video: number };
  /** What was enqueued: a queue and an owner each. */
  readonly enqueued: string[];
  /** Whether enqueueing fails. */
  queueAway: boolean;
  /** Another api or worker of the same installation, with a store that may misbehave. */
  mediaWith(store: Partial<MediaStore>, queues?: Pick<Queues, 'enqueueMany'>): MediaUploads;
  /** Uploads a file that must be taken; answers its media id. */
  upload(owner: string, ...chunks: Uint8Array[]): Promise<string>;
  process(mediaId: string, media?: MediaUploads): Promise<void>;
  /** Keys of every file that the folder holds, finished or not. */
  files(): Promise<string[]>;
  rows(): Promise<number>;
  /** Makes a row look as if nothing had happened to it for so long. */
  age(mediaId: string, seconds: number): Promise<void>;
  close(): Promise<void>;
}

export async function openMediaWorld(
  maxBytes = { image: 4_000_000, video: 20_000_000 },
): Promise<MediaWorld> {
  const [database, dir] = await Promise.all([
    createTestDatabase(),
    mkdtemp(path.join(tmpdir(), 'tidings-media-test-')),
  ]);
  const postgres = openPostgres(database.url, {
    max: 4,
    applicationName: 'media test',
    onError: () => undefined,
  });
  const clock = { ms: Date.now(), now: () => clock.ms };
  const ids = uuidV7Ids(clock);
  const log = createEventLog({ postgres, ids });
  const enqueued: string[] = [];
  const disk = createDiskStore(dir);
  const noting: Pick<Queues, 'enqueueMany'> = {
    enqueueMany: async (task, jobs) => {
      if (world.queueAway) throw new Error('Redis is away');
      for (const { options } of jobs) enqueued.push(`${task.queue} ${options.deduplicationId}`);
    },
  };
  const mediaWith = (store: Partial<MediaStore>, queues = noting) =>
    createMediaUploads({
      postgres,
      log,
      clock,
      ids,
      logger: silent,
      metrics: new Registry(),
      queues,
      config: { dir, maxBytes, maxVideoSeconds: MAX_VIDEO_SECONDS },
      cdnUrl: CDN,
      store: { ...disk, ...store },
    });
  const media = mediaWith({});
  const world: MediaWorld = {
    media,
    queueAway: false,
    log,
    postgres,
    clock,
    dir,
    maxBytes,
    enqueued,
    mediaWith,
    async upload(owner, ...chunks) {
      const result = await media.upload(callerOf(owner), from(...chunks));
      if (!result.ok) throw new Error(result.errors[0]!.code);
      return result.value.mediaId;
    },
    process: (mediaId, uploads = media) => uploads.process(mediaId, run()),
    files: () => filesIn(dir),
    async rows() {
      const { rows } = await postgres.query<{ count: number }>('SELECT count(*) FROM media');
      return rows[0]!.count;
    },
    async age(mediaId, seconds) {
      await postgres.query(
        'UPDATE media SET touched_at = now() - make_interval(secs => $2) WHERE media_id = $1',
        [mediaId, seconds],
      );
    },
    async close() {
      await postgres.close();
      await Promise.all([database.drop(), rm(dir, { recursive: true, force: true })]);
    },
  };
  return world;
}

/** What a job is given; `signal` aborts when its process drains. */
export const run = (signal: AbortSignal = new AbortController().signal) => ({
  correlationId: 'test',
  logger: silent,
  signal,
});

export async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .sort();
}

export async function* from(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** What is an MP4 by its first bytes, and nothing by the rest. */
export function hollowVideo(): Buffer {
  const bytes = Buffer.alloc(9_000, 'nothing');
  bytes.writeUInt32BE(24, 0);
  bytes.write('ftypisom\0\0\x02\0isomiso2', 4, 'latin1');
  return bytes;
}
