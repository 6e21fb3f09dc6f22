import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { restoreEvents } from '../../src/platform/event-log/archive/restore.js';
import { openArchiveStore } from '../../src/platform/event-log/archive/store.js';
import { browseEvents } from '../../src/platform/event-log/browse.js';
import type { EventLog } from '../../src/platform/event-log/index.js';
import { sealEventPartitions } from '../../src/platform/event-log/partitions.js';
import type { ObjectStore } from '../../src/platform/object-store/store.js';
import type { Postgres, Queryable } from '../../src/platform/postgres.js';
import { outgoingStream } from '../../src/projectors/outgoing-stream.js';
import { S3_KEY, startS3Stub } from '../feed/s3-stub.js';
import {
  archiveAll,
  FAR,
  inPostgres,
  logWith,
  never,
  openFolderStore,
  tablesOfEvents,
} from './event-archive-world.js';
import { openPartitionedLog, randomFrom, readWhole, write } from './log-partitions.js';

/** Partitions that end at 21, 22 and 61, and some more; 12 streams, the first of them in most partitions. */
async function openWorld(seed = 1, events = 90) {
  const on = await openPartitionedLog([21, 22, 61, FAR]);
  const random = randomFrom(seed);
  const streams = Array.from({ length: events }, () => `S-${Math.floor(random() ** 2 * 12)}`);
  await write(on.log, streams);
  const { dir, store } = await openFolderStore();
  const before = await readWhole(on.log);
  return { ...on, dir, store, log: logWith(on.postgres, store), before, random };
}

type Whole = Awaited<ReturnType<typeof readWhole>>;

/** Every read is that of the log before anything was archived. */
async function expectSameReads(
  log: EventLog,
  postgres: Postgres,
  { events, byStream }: Whole,
  random: () => number,
): Promise<void> {
  expect((await readWhole(log)).events).toEqual(events);
  const types = { types: ['Other'] };
  expect((await log.readAll(0, 5, types)).events).toEqual([]);
  for (const [streamId, ofStream] of byStream) {
    expect(await log.readStream(streamId)).toEqual(ofStream);
    expect(await log.lastPlace(streamId)).toBe(ofStream.length - 1);
    const after = Math.floor(random() * (ofStream.length + 1)) - 1;
    const limit = 1 + Math.floor(random() * 6);
    expect(await log.readStream(streamId, after, limit)).toEqual(
      ofStream.slice(after + 1, after + 1 + limit),
    );
    expect(await log.readFromSnapshot(streamId, 1)).toEqual({ snapshot: null, events: ofStream });
  }
  const moment = events[Math.floor(random() * events.length)]!.createdAt;
  const last = events.findLast(({ createdAt }) => createdAt.getTime() <= moment.getTime())!;
  expect(await log.positionAt(moment)).toBe(last.globalPosition);
  expect(await log.positionAt(new Date(events[0]!.createdAt.getTime() - 1_000))).toBe(0);
  expect(await browseAll(postgres, log, 'forward')).toEqual(
    events.map(({ globalPosition }) => globalPosition),
  );
  expect(await browseAll(postgres, log, 'backward')).toEqual(
    events.map(({ globalPosition }) => globalPosition),
  );
}

async function browseAll(
  postgres: Postgres,
  log: EventLog,
  direction: 'forward' | 'backward',
): Promise<number[]> {
  const seen: number[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await browseEvents({ postgres, log }, {}, { limit: 13, direction, cursor });
    const positions = page.edges.map(({ node }) => node.globalPosition);
    if (direction === 'forward') seen.push(...positions);
    else seen.unshift(...positions);
    const { hasNextPage, hasPreviousPage, endCursor, startCursor } = page.pageInfo;
    if (!(direction === 'forward' ? hasNextPage : hasPreviousPage)) return seen;
    cursor = direction === 'forward' ? endCursor : startCursor;
  }
}

const append = (log: EventLog, streamId: string, expected: number | 'none') =>
  log.append({
    metadata: { correlationId: 'story', causationId: 'test' },
    appends: [{ streamId, expected, events: [{ type: 'Noted', data: {} }] }],
  });

describe('a log whose old partitions are in the archive', () => {
  it('goes on in Postgres: a partition that nothing comes after stays, though it is full', async () => {
    const { postgres, store, log, before } = await openWorld(1, 60);
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
    const { postgres, store, log, before } = await openWorld();
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
    const { postgres, store, log, before } = await openWorld();
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
    expect(await blind.readFromSnapshot('S-0', 1)).toEqual(wanted);
    await postgres.query('DELETE FROM snapshots');
    await log.saveSnapshot('S-0', 1, { streamPosition: 2, data: {} });
    expect((await log.readFromSnapshot('S-0', 1)).events).toEqual(events.slice(3));
  });

  it('publishes all of it to an outgoing stream that begins anew', async () => {
    const { postgres, store, log, before } = await openWorld();
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
    const { postgres, store, log, before } = await openWorld();
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
    const { postgres, before, random } = await openWorld();
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

describe('archiving', () => {
  it('leaves what is young, what can still grow, and what a projector has not passed', async () => {
    const { postgres, store, before } = await openWorld();
    await postgres.query(`INSERT INTO projectors (projector_name) VALUES ('slow')`);
    await postgres.query(`INSERT INTO projector_positions (projector_name, position) VALUES ('slow', 20)`);
    await archiveAll({ postgres, store });
    expect(await inPostgres(postgres)).toEqual([21, 22, 61]);
    await postgres.query(`UPDATE projector_positions SET position = ${before.events.length}`);
    await archiveAll({ postgres, store });
    expect(await inPostgres(postgres)).toEqual([61]);
    expect(await tablesOfEvents(postgres)).toEqual(['events_from_61']);
  });

  it('waits for no reader: it tries again at its next time', async () => {
    const { postgres, store, before, log, random } = await openWorld();
    await postgres.transaction(async (tx) => {
      await tx.query('SELECT FROM events LIMIT 1');
      await archiveAll({ postgres, store });
      expect(await inPostgres(postgres)).toEqual([1, 21, 22, 61]);
    });
    await archiveAll({ postgres, store });
    expect(await inPostgres(postgres)).toEqual([61]);
    await expectSameReads(log, postgres, before, random);
  });

  it.each(['before', 'after'] as const)(
    'that is killed at any step, %s it had its effect, goes on there: no event is lost, none is twice',
    async (when) => {
      const { postgres, store, before, log, random } = await openWorld();
      let kills = 0;
      for (let at = 1; ; at += 1) {
        const mortal = killedAt(at, when, { postgres, store });
        const died = await archiveAll(mortal, 9).then(
          () => false,
          (error: Error) => {
            expect(error.message).toContain('killed');
            return true;
          },
        );
        if (!died && !mortal.isDead()) break;
        kills += 1;
        expect((await readWhole(log)).events).toEqual(before.events);
      }
      expect(kills).toBeGreaterThan(10);
      expect(await inPostgres(postgres)).toEqual([61]);
      expect(await tablesOfEvents(postgres)).toEqual(['events_from_61']);
      await expectSameReads(log, postgres, before, random);
    },
  );

  it('beside readers and writers: nobody misses an event', async () => {
    const { postgres, store, log } = await openWorld();
    let going = true;
    const reading = Promise.all(
      [1, 2, 3].map(async (n) => {
        while (going) {
          const { events } = await readWhole(log);
          expect(events.map(({ globalPosition }) => globalPosition)).toEqual(events.map((_, at) => at + 1));
          const ofOne = await log.readStream(`S-${n}`);
          expect(ofOne.map(({ streamPosition }) => streamPosition)).toEqual(ofOne.map((_, place) => place));
        }
      }),
    );
    try {
      for (let turn = 0; turn < 10; turn += 1) {
        await write(log, ['S-1', 'S-2', 'S-3']);
        await archiveAll({ postgres, store });
      }
    } finally {
      going = false;
      await reading;
    }
    // Whatever was in nobody's way is out.
    expect((await tablesOfEvents(postgres)).length).toBeLessThan(5);
  });

  it('drops nothing where the store is down', async () => {
    const { postgres, store, before, log } = await openWorld();
    const down = { ...store, put: () => Promise.reject(new Error('the store is down')) };
    await expect(archiveAll({ postgres, store: down })).rejects.toThrow('the store is down');
    expect(await inPostgres(postgres)).toEqual([1, 21, 22, 61]);
    expect((await readWhole(log)).events).toEqual(before.events);
  });

  it.each(['position', 'stream'])(
    'drops nothing of which an object by %s does not read back as it was written, and writes that one again',
    async (sort) => {
      const { postgres, store, before, log, random } = await openWorld();
      const damaging: ObjectStore = {
        ...store,
        put: (key, body, facts) =>
          store.put(key, key.includes(`${sort}-000002`) ? cutShort(body) : body, facts),
      };
      await expect(archiveAll({ postgres, store: damaging }, 5)).rejects.toMatchObject({
        code: 'EVENT_ARCHIVE_CORRUPT',
      });
      expect(await inPostgres(postgres)).toEqual([1, 21, 22, 61]);
      await archiveAll({ postgres, store }, 5);
      expect(await inPostgres(postgres)).toEqual([61]);
      await expectSameReads(log, postgres, before, random);
    },
  );
});

it('an object that is gone before all is read back is written again', async () => {
  const { postgres, store, before, log, random } = await openWorld();
  let gone = '';
  const losing: ObjectStore = {
    ...store,
    async put(key, body, facts) {
      if (gone === '' && key.includes('stream-000002')) gone = key;
      await store.put(key, body, facts);
      if (gone === key) await store.remove([key]);
    },
  };
  await expect(archiveAll({ postgres, store: losing }, 5)).rejects.toMatchObject({
    code: 'EVENT_ARCHIVE_CORRUPT',
    message: expect.stringContaining(gone),
  });
  expect(await inPostgres(postgres)).toContain(1);
  await archiveAll({ postgres, store }, 5);
  expect(await inPostgres(postgres)).toEqual([61]);
  await expectSameReads(log, postgres, before, random);
});

describe('an archive that cannot be read', () => {
  const reads = (log: EventLog): [string, () => Promise<unknown>][] => [
    ['the log', () => log.readAll(0, 10)],
    ['a stream', () => log.readStream('S-0')],
    ['an aggregate', () => log.readFromSnapshot('S-0', 1)],
    ['a moment', () => log.positionAt(new Date(0))],
  ];

  it('is said, and nothing is left out', async () => {
    const { postgres, store, dir } = await openWorld();
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
    const { postgres, store, before } = await openWorld();
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

describe('restoring', () => {
  it('brings back the partitions from a position on, also after it was killed, and they can be archived again', async () => {
    const { postgres, store, before, log, random } = await openWorld();
    await archiveAll({ postgres, store });
    let at = 0;
    for (let done = false; !done; ) {
      at += 1;
      const mortal = killedAt(at, 'after', { postgres, store });
      await restoreEvents({ ...mortal, firstPauseMs: 1 }, 30).catch((error: Error) =>
        expect(error.message).toContain('killed'),
      );
      done = !mortal.isDead();
      expect((await readWhole(log)).events).toEqual(before.events);
    }
    expect(await inPostgres(postgres)).toEqual([22, 61]);
    await expectSameReads(log, postgres, before, random);
    expect(await restoreEvents({ postgres, store }, 1)).toBe(2);
    expect(await inPostgres(postgres)).toEqual([1, 21, 22, 61]);
    await expectSameReads(logWith(postgres, undefined), postgres, before, random);
    await expect(postgres.query('DELETE FROM events_from_1')).rejects.toThrow('is append-only');
    await archiveAll({ postgres, store });
    expect(await inPostgres(postgres)).toEqual([61]);
    await expectSameReads(log, postgres, before, random);
  });
});

async function* cutShort(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of body) yield part.subarray(0, part.length - 4);
}

/** A process that dies at its n-th step, a statement or an object, before or after that has had its effect. */
function killedAt(
  at: number,
  when: 'before' | 'after',
  { postgres, store }: { readonly postgres: Postgres; readonly store: ObjectStore },
): { postgres: Queryable; store: ObjectStore; isDead: () => boolean } {
  let steps = 0;
  async function step<T>(work: () => Promise<T>): Promise<T> {
    steps += 1;
    if (steps > at || (steps === at && when === 'before')) throw new Error('killed');
    const result = await work();
    if (steps === at) {
      if (result instanceof Readable) result.destroy();
      throw new Error('killed');
    }
    return result;
  }
  return {
    isDead: () => steps >= at,
    postgres: { query: (statement, values) => step(() => postgres.query(statement, values)) },
    store: {
      put: (key, body, facts) => step(() => store.put(key, body, facts)),
      get: (key) => step(() => store.get(key)),
      remove: (keys) => step(() => store.remove(keys)),
    },
  };
}
