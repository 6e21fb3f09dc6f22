import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { type Chunk, toEvent } from '../../src/platform/event-log/archive/chunk.js';
import { readLines } from '../../src/platform/event-log/archive/read.js';
import { restoreEvents } from '../../src/platform/event-log/archive/restore.js';
import type { ObjectStore } from '../../src/platform/object-store/store.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import type { Postgres } from '../../src/platform/postgres/postgres.js';
import { createEmptyDatabase, ENGLISH } from '../support/database.js';
import { archiveAll, FAR, inPostgres, logWith, openFolderStore, type Whole } from './event-archive-world.js';
import { openPartitionedLog, readWhole, write } from './log-partitions.js';

const prisma = new URL('../../prisma/', import.meta.url);
const BY_BYTES = '20261126060330_archive_by_bytes';
/** English has them in another order than their bytes. */
const WORDS = ['b', 'B', 'a', 'A', 'é', 'z', 'a-b', 'ab', 'Z', 'a_b', 'C', 'c'];
const LIBC_C = "LOCALE_PROVIDER libc LOCALE 'C'";
const BUILTIN = "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'";

/** As the former version has it. */
const FORMER_CHUNK_OF_STREAM = `
  SELECT c.key, c.sha256, c.events
  FROM (
    SELECT s.from_position, greatest(s.first_position, $2::int + 1) AS place
    FROM stream_partitions s JOIN event_partitions p ON p.from_position = s.from_position
    WHERE s.stream_id = $1 AND s.last_position > $2 AND p.archived_at IS NOT NULL
    ORDER BY s.from_position LIMIT 1
  ) AS held
  CROSS JOIN LATERAL (
    SELECT object_key AS key, sha256, events FROM event_archive_chunks
    WHERE from_position = held.from_position AND sorted_by = 'stream' AND (first_stream, first_place) <= ($1, held.place)
    ORDER BY first_stream DESC, first_place DESC LIMIT 1
  ) AS c`;

/** Without the migration, what is archived is in the order of the database's collation, and does not say so. */
async function migrateBefore(url: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-event-archive-upgrade-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(prisma, folder, { recursive: true, filter: (source) => path.basename(source) !== BY_BYTES });
  const detach = path.join(folder, 'functions/detach_archived_partition.sql');
  const present = await readFile(detach, 'utf8');
  expect(present).toContain(" archive_order = 'C',");
  await writeFile(detach, present.replace(" archive_order = 'C',", ''));
  await migrate(url, { folder: pathToFileURL(`${folder}/`) });
}

/** A partition that can be archived, in a database as the former version has it. */
async function formerWorld(locale: string) {
  const creating = createEmptyDatabase(locale);
  await migrateBefore((await creating).url);
  const on = await openPartitionedLog([61, FAR], creating);
  const { store } = await openFolderStore();
  await write(
    on.log,
    Array.from({ length: 80 }, (_, n) => WORDS[(n * 7) % WORDS.length]!),
  );
  return { ...on, store, before: await readWhole(on.log) };
}

async function archivedByFormer(locale: string) {
  const world = await formerWorld(locale);
  await archiveAll(world, 2);
  expect(await inPostgres(world.postgres)).toEqual([61]);
  return world;
}

async function expectStreams(postgres: Postgres, store: ObjectStore | undefined, before: Whole) {
  const log = logWith(postgres, store);
  for (const [streamId, events] of before.byStream) {
    expect(await log.readStream(streamId)).toEqual(events);
    expect(await log.readStream(streamId, 2, 2)).toEqual(events.slice(3, 5));
  }
  expect((await readWhole(log)).events).toEqual(before.events);
}

const orders = async (postgres: Postgres) =>
  (
    await postgres.query<{ order: string | null }>(
      'SELECT archive_order AS "order" FROM event_partitions WHERE archived_at IS NOT NULL',
    )
  ).rows.map(({ order }) => order);

it('English and bytes have the streams of these tests in different orders', async () => {
  const { postgres } = await archivedByFormer(ENGLISH);
  const { rows } = await postgres.query<{ stream: string }>(
    "SELECT first_stream AS stream FROM event_archive_chunks WHERE sorted_by = 'stream' ORDER BY number",
  );
  const written = rows.map(({ stream }) => stream);
  expect(written).not.toEqual(
    written.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
  );
});

it.each([
  ['English', ENGLISH, null],
  ['C of the libc', LIBC_C, 'C'],
  ['C.UTF-8 of Postgres', BUILTIN, 'C'],
])(
  'a partition that the former version archived is read by stream right after the upgrade, by either version, where the collation is %s',
  async (_, locale, order) => {
    const { url, postgres, store, before } = await archivedByFormer(locale);
    await migrate(url);
    expect(await orders(postgres)).toEqual([order]);
    await expectStreams(postgres, store, before);
    for (const [streamId, events] of before.byStream)
      for (const { streamPosition, globalPosition } of events.filter((event) => event.globalPosition < 61)) {
        const { rows } = await postgres.query<Chunk & Record<string, unknown>>(FORMER_CHUNK_OF_STREAM, [
          streamId,
          streamPosition - 1,
        ]);
        const found = (await readLines(store, rows[0]!, 1)).map((line) => toEvent(line).globalPosition);
        expect(found).toContain(globalPosition);
      }
  },
);

it.each([
  ['English', ENGLISH],
  ['C of the libc', LIBC_C],
])(
  'a partition that the former version archived is restored after the upgrade, and archived again by bytes, where the collation is %s',
  async (_, locale) => {
    const { url, postgres, store, before } = await archivedByFormer(locale);
    await migrate(url);
    expect(await restoreEvents({ postgres, store }, 1)).toBe(1);
    expect(await inPostgres(postgres)).toEqual([1, 61]);
    await expectStreams(postgres, undefined, before);
    await archiveAll({ postgres, store }, 2);
    expect(await inPostgres(postgres)).toEqual([61]);
    expect(await orders(postgres)).toEqual(['C']);
    await expectStreams(postgres, store, before);
  },
);

it('a partition that the former version had begun to archive is archived after the upgrade', async () => {
  const { url, postgres, store, before } = await formerWorld(ENGLISH);
  const failing = { ...store, get: () => Promise.reject(new Error('503')) };
  await expect(archiveAll({ postgres, store: failing }, 2)).rejects.toThrow('503');
  await migrate(url);
  await archiveAll({ postgres, store }, 2);
  expect(await orders(postgres)).toEqual(['C']);
  await expectStreams(postgres, store, before);
});
