import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageOutbox } from '../../../src/domains/commerce/tasks.js';
import { transferOutbox } from '../../../src/domains/commerce/transfer/pending.js';
import { fanOutOutbox, noticeOutbox } from '../../../src/domains/feed/index.js';
import type { OutboxKind } from '../../../src/platform/outbox/index.js';
import { migrate } from '../../../src/platform/postgres/migrations.js';
import { openPostgres } from '../../../src/platform/postgres/postgres.js';
import { createTestDatabase } from '../../support/database.js';
import { outboxOn } from '../../support/outbox.js';
import { type Contents, findLosses, findUnfilled, readFormer, readSequences, rowsOf } from './contents.js';
import { FOLLOWS, FOLLOWS_FROM_USERS, GONE, MOVED } from './places.js';
import { describeSchema } from './schema.js';
import { beforeOutbox, beforePartitions, openWorld, type World } from './world.js';

describe.each([
  ['before tables were partitioned', [beforePartitions], { ...FOLLOWS, ...FOLLOWS_FROM_USERS }],
  ['before the outbox', [beforePartitions, beforeOutbox], FOLLOWS],
])('a database of a version %s, with something in every table:', (_, starts, follows) => {
  let world: World;
  let unfilled: string[];
  let former: Contents;
  let sequences: ReadonlyMap<string, number>;
  const expected = new Map<string, string[]>();

  beforeAll(async () => {
    world = await openWorld(...starts);
    const { postgres, url } = world;
    [unfilled, former, sequences] = [
      await findUnfilled(postgres),
      await readFormer(postgres),
      await readSequences(postgres),
    ];
    for (const [name, [before]] of Object.entries(follows))
      expected.set(name, await rowsOf(postgres, before));
    await migrate(url);
  });
  afterAll(() => world?.close());

  it('this test has data for each table, partition and column', () => {
    expect(unfilled).toEqual([]);
  });

  it('every row of every table is found again, where it was or where it belongs now', async () => {
    expect(await findLosses(world.postgres, former)).toEqual({});
  });

  it.each(Object.entries(follows))('%s', async (name, [, after]) => {
    expect(await rowsOf(world.postgres, after)).toEqual(expected.get(name));
  });

  it('numbers that were given are not given again', async () => {
    const now = await readSequences(world.postgres);
    for (const [name, value] of sequences) expect(now.get(name), name).toBeGreaterThanOrEqual(value);
  });

  it('what waits is claimed by this version, as far as it is due', async () => {
    const outbox = outboxOn(world.postgres);
    const claimed = async <Payload>(kind: OutboxKind<Payload>) => (await outbox.claim(kind, 5_000)).length;
    expect(await claimed(messageOutbox)).toBe(1_050);
    expect(await claimed(noticeOutbox)).toBe(900);
    expect(await claimed(transferOutbox)).toBe(3);
    expect(await claimed(fanOutOutbox)).toBe(2);
  });

  it('the tables, views, indexes and functions are those of a new database', async () => {
    const fresh = await createTestDatabase();
    const postgres = openPostgres(fresh.url, { max: 1, applicationName: 'test', onError: () => undefined });
    try {
      expect(await describeSchema(world.postgres)).toEqual(await describeSchema(postgres));
    } finally {
      await postgres.close();
      await fresh.drop();
    }
  });
});

it('what is said to have moved, or to go, is a table of a former version', async () => {
  const { postgres, close } = await openWorld(beforePartitions, beforeOutbox);
  try {
    const { rows } = await postgres.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')",
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...Object.keys(MOVED), ...Object.keys(GONE)]),
    );
  } finally {
    await close();
  }
});
