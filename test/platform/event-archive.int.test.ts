import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { restoreEvents } from '../../src/platform/event-log/archive/restore.js';
import { openArchiveStore } from '../../src/platform/event-log/archive/store.js';
import { browseEvents } from '../../src/platform/event-log/browse.js';
import type { EventLog } from '../../src/platform/event-log/index.js';
import { sealEventPartitions } from '../../src/platform/event-log/partitions.js';
import type { ObjectStore } from '../../src/platform/object-store/store.js';
import { outgoingStream } from '../../src/projectors/outgoing-stream.js';
import { S3_KEY, startS3Stub } from '../feed/s3-stub.js';
import {
  archiveAll,
  expectSameReads,
  FAR,
  inPostgres,
  logWith,
  never,
  openArchiveWorld,
  openFolderStore,
} from './event-archive-world.js';
import { openPartitionedLog, randomFrom, readWhole, write } from './log-partitions.js';

const append = (log: EventLog, streamId: string, expected: number | 'none') =>
  log.append({
    metadata: { correlationId: 'story', causationId: 'test' },
    appends: [{ streamId, expected, events: [{ type: 'Noted', data: {} }] }],
  });

describe('a log whose old partitions are in the archive', () => {
  it('goes on in Postgres: a partition that nothing comes after stays, though it is full', async () => {
    const { postgres, store, log, before } = await openArchiveWorld(1, 60);
    await archiveAll({ postgres, store });
    expect(await inPostgres(postgres)).toEqual([22, 61]);
    expect((await readWhole(log)).events).toEqual(before.events);
    await append(log, 'S-next', 'none');
    expect(await log.head()).toBe(61);
    await sealEventPartitions(postgres, never);
    await postgres.query('ALTER TABLE events DETACH PARTITION events_from_61');
    await archiveAll({ postgres, store });
    expect(await inPostgres(postgres)).toEqual([22]);
  });

  it.each(Array.from({ length: 6 }, (_, n) => [n + 1]))('reads as before (%i)', async (seed) => {
    const random = randomFrom(seed);
    const ends: number[] = [];
    for (let end = 1; end < 150; ends.push(end)) end += 1 + Math.floor(random() * 60);
    const { postgres, log: plain } = await openPartitionedLog([...ends, FAR]);
    const names = 1 + Math.floor(random() * 40);
    await write(
      plain,
      Array.from(
        { length: 100 + Math.floor(random() * 100) },
        () => `S-${Math.floor(random() ** 2 * names)}`,
      ),
    );
    const before = await readWhole(plain);
    const { store } = await openFolderStore();
    const log = logWith(postgres, store);
    await archiveAll({ postgres, store }, 1 + Math.floor(random() * 30));
    const [first] = await inPostgres(postgres);
    expect(first).toBe(ends.findLast((end) => end <= before.events.length + 1) ?? 1);
    await expectSameReads(log, postgres, before, random);
  });

  it('appends to a stream that is only there at its version, and nothing else', async () => {
    const { postgres, store, log, before } = await openArchiveWorld();
    await write(log, ['Old-1']);
    await write(
      log,
      Array.from({ length: 3 }, () => 'S-0'),
    );
    await archiveAll({ postgres, store });
    const blind = logWith(postgres, undefined);
    const [streamId, events] = [...before.byStream].find(([, all]) =>
      all.every(({ globalPosition }) => globalPosition < 61),
    )!;
    const version = events.length - 1;
    expect(await append(blind, streamId, 'none')).toMatchObject({ kind: 'conflict', actual: version });
    expect(await append(blind, streamId, version - 1)).toMatchObject({ kind: 'conflict', actual: version });
    expect(await append(blind, streamId, version)).toMatchObject({
      kind: 'accepted',
      versions: { [streamId]: version + 1 },
    });
    expect((await log.readStream(streamId)).map(({ streamPosition }) => streamPosition)).toEqual(
      [...events, 'new'].map((_, place) => place),
    );
  });

  it('loads an aggregate from its snapshot without the archive, and by all of its events with it', async () => {
    const { postgres, store, log, before } = await openArchiveWorld();
    await archiveAll({ postgres, store });
    const events = before.byStream.get('S-0')!;
    const place = events.findLast(({ globalPosition }) => globalPosition < 61)!.streamPosition;
    const blind = logWith(postgres, undefined);
    await expect(blind.readFromSnapshot('S-0', 1)).rejects.toMatchObject({
      code: 'EVENT_ARCHIVE_NOT_CONFIGURED',
    });
    await log.saveSnapshot('S-0', 1, { streamPosition: place, data: { kept: true } });
    const wanted = {
      snapshot: { streamPosition: place, data: { kept: true } },
      events: events.slice(place + 1),
    };
    expect(await blind.readFromSnapshot('S-0', 1)).toMatchObject(wanted);
    await postgres.query('DELETE FROM snapshots');
    await log.saveSnapshot('S-0', 1, { streamPosition: 2, data: {} });
    expect((await log.readFromSnapshot('S-0', 1)).events).toEqual(events.slice(3));
  });

  it('publishes all of it to an outgoing stream that begins anew', async () => {
    const { postgres, store, log, before } = await openArchiveWorld();
    await archiveAll({ postgres, store });
    const published: number[] = [];
    const projector = outgoingStream({
      log,
      length: 1_000,
      target: {
        newest: async () => null,
        clear: async () => undefined,
        add: async (entries) => void published.push(...entries.map(({ position }) => position)),
      },
    });
    await projector.apply(before.events.slice(-1), postgres);
    expect(published).toEqual(before.events.map(({ globalPosition }) => globalPosition));
  });

  it('refuses to look a correlation id or a page of a stream up there, and says from which position on it can', async () => {
    const { postgres, store, log, before } = await openArchiveWorld();
    await archiveAll({ postgres, store });
    const page = { limit: 5, direction: 'forward', cursor: null } as const;
    const refused = { code: 'BAD_USER_INPUT', message: expect.stringContaining('set fromPosition to 61') };
    for (const filter of [{ correlationId: 'story 3' }, { streamId: 'S-0' }]) {
      await expect(browseEvents({ postgres, log }, filter, page)).rejects.toMatchObject(refused);
      await expect(
        browseEvents({ postgres, log }, filter, { ...page, direction: 'backward' }),
      ).rejects.toMatchObject(refused);
    }
    const { edges } = await browseEvents({ postgres, log }, { streamId: 'S-0', fromPosition: '61' }, page);
    expect(edges.map(({ node }) => node)).toEqual(
      before.byStream
        .get('S-0')!
        .filter(({ globalPosition }) => globalPosition >= 61)
        .slice(0, 5),
    );
  });

  it('stands in lines of JSON that need nothing of ours, with every digit', async () => {
    const { postgres, log: plain } = await openPartitionedLog([4, FAR]);
    const { dir, store } = await openFolderStore();
    await postgres.query(
      `INSERT INTO events (global_position, stream_id, stream_position, event_type, data, metadata, created_at) VALUES
       (1, 'A-"1"', 0, 'Noted', '{"n": 12345678901234567890.10, "text": "line\\nbreak é 😀"}', '{}', '2020-01-02 03:04:05.123456+00'),
       (2, 'B-1', 0, 'Noted', '{}', '{"correlationId": "c"}', '2020-01-02 03:04:05.9+00'),
       (3, 'A-"1"', 1, 'Noted', '[1e2]', '{}', '2020-01-02 03:04:06+00')`,
    );
    await write(plain, ['C-1']);
    const stored = async () => (await postgres.query('SELECT events::text FROM events ORDER BY 1')).rows;
    const before = await stored();
    await archiveAll({ postgres, store }, 2);
    const files = (await readdir(path.join(dir, 'events/1-3'))).sort();
    expect(files).toEqual([
      'manifest.json',
      ...['position-000001', 'position-000002', 'stream-000001', 'stream-000002'].map((name) =>
        expect.stringMatching(new RegExp(`^${name}-[0-9a-f]{16}\\.ndjson\\.gz$`)),
      ),
    ]);
    const manifest = JSON.parse(await readFile(path.join(dir, 'events/1-3/manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ format: 'tidings-events-1', firstPosition: 1, lastPosition: 3 });
    expect(manifest.chunks).toHaveLength(4);
    const lines = gunzipSync(await readFile(path.join(dir, manifest.chunks[0].key)))
      .toString()
      .split('\n');
    expect(lines[0]).toContain('12345678901234567890.10');
    expect(JSON.parse(lines[0]!)).toMatchObject({
      position: 1,
      stream: 'A-"1"',
      place: 0,
      createdAt: '2020-01-02T03:04:05.123456Z',
    });
    await restoreEvents({ postgres, store }, 1);
    expect(await stored()).toEqual(before);
  });

  it('can be in S3', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', S3_KEY.id);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', S3_KEY.secret);
    const s3 = await startS3Stub();
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await s3.close();
    });
    const { postgres, before, random } = await openArchiveWorld();
    const target = { s3: { bucket: 'log', region: 'eu-test-1', endpoint: s3.url } };
    const store = openArchiveStore(target);
    await archiveAll({ postgres, store });
    expect(await inPostgres(postgres)).toEqual([61]);
    for (const [key, { cacheControl }] of s3.objects) {
      expect(key).toMatch(/^\/log\/events\//);
      expect(cacheControl).toBe('private, no-store');
    }
    await expectSameReads(logWith(postgres, store), postgres, before, random);
  });
});

describe('an archive that cannot be read', () => {
  const reads = (log: EventLog): [string, () => Promise<unknown>][] => [
    ['the log', () => log.readAll(0, 10)],
    ['a stream', () => log.readStream('S-0')],
    ['an aggregate', () => log.readFromSnapshot('S-0', 1)],
    ['a moment', () => log.positionAt(new Date(0))],
  ];

  it('is said, and nothing is left out', async () => {
    const { postgres, store, dir } = await openArchiveWorld();
    await archiveAll({ postgres, store });
    const down = { ...store, get: () => Promise.reject(new Error('503')) };
    for (const [what, read] of reads(logWith(postgres, undefined)).slice(0, 3))
      await expect(read(), what).rejects.toMatchObject({ code: 'EVENT_ARCHIVE_NOT_CONFIGURED' });
    for (const [what, read] of reads(logWith(postgres, down)).slice(0, 3))
      await expect(read(), what).rejects.toMatchObject({
        code: 'EVENT_ARCHIVE_UNAVAILABLE',
        message: expect.stringContaining('503'),
      });
    for (const folder of await readdir(path.join(dir, 'events')))
      for (const file of await readdir(path.join(dir, 'events', folder)))
        await writeFile(path.join(dir, 'events', folder, file), 'damaged');
    for (const [what, read] of reads(logWith(postgres, store)).slice(0, 3))
      await expect(read(), what).rejects.toMatchObject({ code: 'EVENT_ARCHIVE_CORRUPT' });
    await expect(restoreEvents({ postgres, store, firstPauseMs: 1 }, 1)).rejects.toMatchObject({
      code: 'EVENT_ARCHIVE_CORRUPT',
    });
  });

  it('is asked again: an object that comes at the third try is read', async () => {
    const { postgres, store, before } = await openArchiveWorld();
    await archiveAll({ postgres, store });
    let tries = 0;
    const flaky: ObjectStore = {
      ...store,
      async get(key) {
        tries += 1;
        if (tries % 3 !== 0) throw new Error('503');
        return store.get(key);
      },
    };
    const { events } = await logWith(postgres, flaky).readAll(0, 3);
    expect(events).toEqual(before.events.slice(0, 3));
  });
});
