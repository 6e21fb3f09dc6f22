import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkFilter, createSegments } from '../../src/domains/notifications/segments/index.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { admin, shop } from './notification-world.js';

const clock = { now: () => Date.UTC(2026, 0, 1) };
const never = new AbortController().signal;
let database: TestDatabase;
let postgres: Postgres;
let segments: ReturnType<typeof createSegments>;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 6, applicationName: 'test', onError: () => undefined });
  segments = createSegments({ postgres, clock });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

const set = (userId: string, attributes: Record<string, unknown>) =>
  segments.setAttributes(shop, [{ userId, attributes }]);
const names = async () => (await segments.attributes()).map(({ name }) => name);
const attributesOf = async (userId: string) =>
  (await postgres.query('SELECT attributes FROM user_attributes WHERE user_id = $1', [userId])).rows[0]
    ?.attributes;

it('a deleted attribute is unknown to filters at once, is taken from everybody, and its name is free for another type', async () => {
  await set('ann', { colour: 'red', size: 3 });
  await set('bob', { colour: 'blue' });
  await postgres.query(
    `INSERT INTO user_attributes (user_id, attributes)
     SELECT 'user-' || n, jsonb_build_object('colour', 'green', 'size', n) FROM generate_series(1, 4500) n`,
  );
  expect(await segments.deleteAttribute(admin, 'nothing')).toMatchObject({
    ok: false,
    errors: [{ code: 'ATTRIBUTE_UNKNOWN', path: ['input', 'name'] }],
  });
  expect(await segments.deleteAttribute(admin, 'colour')).toEqual({ ok: true, value: 'colour' });
  expect(await segments.attributes()).toMatchObject([
    { name: 'colour', type: 'string', createdBy: 'shop', deletedAt: expect.any(Date) },
    { name: 'size', deletedAt: null },
  ]);
  expect(await checkFilter({ postgres, clock }, 'colour = "red"', ['filter'])).toMatchObject({
    ok: false,
    errors: [{ code: 'ATTRIBUTE_UNKNOWN' }],
  });
  expect(await set('cid', { colour: 'red' })).toMatchObject({
    ok: false,
    errors: [{ code: 'ATTRIBUTE_BEING_DELETED' }],
  });
  // Who does not name it is not disturbed, and taking one away is no value.
  expect(await set('ann', { size: 4, colour: null })).toMatchObject({ ok: true });
  expect(await segments.deleteAttribute(admin, 'colour')).toMatchObject({ ok: true });

  await segments.stripDeleted(never);
  expect(await names()).toEqual(['size']);
  expect(await attributesOf('ann')).toEqual({ size: 4 });
  expect(await attributesOf('bob')).toEqual({});
  const { rows } = await postgres.query(
    `SELECT count(*)::int AS left_over FROM user_attributes WHERE attributes ? 'colour'`,
  );
  expect(rows[0]?.left_over).toBe(0);
  expect(await attributesOf('user-4500')).toEqual({ size: 4500 });
  expect(await set('bob', { colour: 7 })).toMatchObject({ ok: true, value: 1 });
});

it('a removal that is cut short goes on where it was', async () => {
  await set('ann', { shape: 'round' });
  await segments.deleteAttribute(admin, 'shape');
  await segments.stripDeleted(AbortSignal.abort());
  expect(await names()).toContain('shape');
  await segments.stripDeleted(never);
  expect(await names()).not.toContain('shape');
  expect(await attributesOf('ann')).not.toHaveProperty('shape');
});

it('no value is left of an attribute that is deleted while others set it', async () => {
  for (let round = 0; round < 10; round += 1) {
    await set('first', { mood: 'calm' });
    const writing = Array.from({ length: 20 }, (_, n) => set(`mood-${n}`, { mood: 'glad' }));
    const deleting = segments.deleteAttribute(admin, 'mood').then(() => segments.stripDeleted(never));
    await Promise.all([...writing, deleting]);
    await segments.deleteAttribute(admin, 'mood');
    await segments.stripDeleted(never);
    const { rows } = await postgres.query(
      `SELECT user_id FROM user_attributes WHERE attributes ? 'mood' ORDER BY user_id`,
    );
    expect(rows).toEqual([]);
  }
});
