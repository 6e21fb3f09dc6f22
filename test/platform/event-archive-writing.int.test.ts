import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ObjectStore } from '../../src/platform/object-store/store.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { createEmptyDatabase, ENGLISH } from '../support/database.js';
import {
  archiveAll,
  expectSameReads,
  FAR,
  inPostgres,
  killedAt,
  logWith,
  openArchiveWorld,
  openFolderStore,
  tablesOfEvents,
} from './event-archive-world.js';
import { openPartitionedLog, readWhole, write } from './log-partitions.js';

describe('archiving', () => {
  it('leaves what is young, what can still grow, and what a projector has not passed', async () => {
    const { postgres, store, before } = await openArchiveWorld();
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
    const { postgres, store, before, log, random } = await openArchiveWorld();
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
      const { postgres, store, before, log, random } = await openArchiveWorld();
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
    const { postgres, store, log } = await openArchiveWorld();
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
    const { postgres, store, before, log } = await openArchiveWorld();
    const down = { ...store, put: () => Promise.reject(new Error('the store is down')) };
    await expect(archiveAll({ postgres, store: down })).rejects.toThrow('the store is down');
    expect(await inPostgres(postgres)).toEqual([1, 21, 22, 61]);
    expect((await readWhole(log)).events).toEqual(before.events);
  });

  it.each(['position', 'stream'])(
    'drops nothing of which an object by %s does not read back as it was written, and writes that one again',
    async (sort) => {
      const { postgres, store, before, log, random } = await openArchiveWorld();
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
  const { postgres, store, before, log, random } = await openArchiveWorld();
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

describe('runs that are at it at the same time', () => {
  it.each([1, 2, 3, 4])(
    'leave one whole archive, also where their objects have other sizes (%i)',
    async (seed) => {
      const { postgres, store, before, log, random } = await openArchiveWorld(seed);
      let isFirst = true;
      const damaging: ObjectStore = {
        ...store,
        async put(key, body, facts) {
          const isDamaged = isFirst && key.includes('stream-000002');
          if (isDamaged) isFirst = false;
          await store.put(key, isDamaged ? cutShort(body) : body, facts);
        },
      };
      await Promise.allSettled([
        archiveAll({ postgres, store: damaging }, 5),
        archiveAll({ postgres, store }, 7),
        archiveAll({ postgres, store }, 3),
      ]);
      expect((await readWhole(log)).events).toEqual(before.events);
      await archiveAll({ postgres, store }, 4);
      expect(await inPostgres(postgres)).toEqual([61]);
      await expectSameReads(log, postgres, before, random);
    },
  );
});

it.each(['position', 'stream'])(
  'objects by %s that are missing between others are written again',
  async (sort) => {
    const { postgres, store, before, log, random } = await openArchiveWorld();
    const failing = { ...store, get: () => Promise.reject(new Error('503')) };
    await expect(archiveAll({ postgres, store: failing }, 5)).rejects.toThrow('503');
    await postgres.query('DELETE FROM event_archive_chunks WHERE sorted_by = $1 AND number = 2', [sort]);
    await expect(archiveAll({ postgres, store }, 5)).rejects.toMatchObject({ code: 'EVENT_ARCHIVE_CORRUPT' });
    await archiveAll({ postgres, store }, 5);
    expect(await inPostgres(postgres)).toEqual([61]);
    await expectSameReads(log, postgres, before, random);
  },
);

it('an object has no more bytes of events than it may, and one event however long that is', async () => {
  const { postgres, log } = await openPartitionedLog([21, FAR]);
  const { store } = await openFolderStore();
  for (let n = 0; n < 21; n += 1)
    await log.append({
      metadata: { correlationId: 'c', causationId: 'test' },
      appends: [
        {
          streamId: `S-${n % 2}`,
          expected: 'any',
          events: [{ type: 'Noted', data: { text: 'x'.repeat(n * 100) } }],
        },
      ],
    });
  const before = await readWhole(log);
  await archiveAll({ postgres, store }, 100, 1_000);
  expect(await inPostgres(postgres)).toEqual([21]);
  const { rows } = await postgres.query<{ events: number }>(
    "SELECT events FROM event_archive_chunks WHERE sorted_by = 'position' ORDER BY number",
  );
  const counts = rows.map(({ events }) => events);
  expect(counts[0]).toBeGreaterThan(1);
  expect(counts.slice(-10)).toEqual(Array.from({ length: 10 }, () => 1));
  expect((await readWhole(logWith(postgres, store))).events).toEqual(before.events);
});

describe('objects by stream', () => {
  /** Words that English sorts otherwise than bytes. */
  const words = ['b', 'B', 'a', 'A', 'é', 'z', 'a-b', 'ab', 'Z', 'a_b'];

  it('are in the order of bytes where the database’s collation is another, as their manifest says', async () => {
    const creating = createEmptyDatabase(ENGLISH);
    await migrate((await creating).url);
    const on = await openPartitionedLog([41, FAR], creating);
    const { dir, store } = await openFolderStore();
    await write(
      on.log,
      Array.from({ length: 50 }, (_, n) => words[(n * 7) % words.length]!),
    );
    const before = await readWhole(on.log);
    await archiveAll({ postgres: on.postgres, store }, 3);
    expect(await inPostgres(on.postgres)).toEqual([41]);
    const manifest = JSON.parse(await readFile(path.join(dir, 'events/1-40/manifest.json'), 'utf8'));
    expect(manifest.order).toBe('C');
    const streams = manifest.chunks
      .filter(({ sortedBy }: { sortedBy: string }) => sortedBy === 'stream')
      .flatMap(({ firstStream, lastStream }: Record<string, string>) => [firstStream, lastStream]);
    expect(streams).toEqual(
      streams.toSorted((one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
    );
    const log = logWith(on.postgres, store);
    for (const [streamId, events] of before.byStream) expect(await log.readStream(streamId)).toEqual(events);
    expect((await readWhole(log)).events).toEqual(before.events);
  });

  it('in an order that is not known are refused, and nothing is left out', async () => {
    const { postgres, store, log, before } = await openArchiveWorld();
    await archiveAll({ postgres, store });
    await postgres.query("UPDATE event_partitions SET archive_order = 'en-US'");
    await expect(log.readStream('S-0')).rejects.toMatchObject({
      code: 'EVENT_ARCHIVE_CORRUPT',
      message: expect.stringContaining('en-US'),
    });
    expect((await readWhole(log)).events).toEqual(before.events);
  });
});

async function* cutShort(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of body) yield part.subarray(0, part.length - 4);
}
