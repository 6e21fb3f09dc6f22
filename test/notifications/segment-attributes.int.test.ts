import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/platform/auth/caller.js';
import { admin, caller, shop } from './notification-world.js';
import { openSegmentWorld, type SegmentWorld } from './segment-world.js';

let world: SegmentWorld;
beforeAll(async () => {
  world = await openSegmentWorld();
});
afterAll(() => world.close());

describe('setting attributes', () => {
  type Given = [userId: string, attributes: Record<string, unknown>];
  const set = (...given: Given[]) => setBy(shop, ...given);
  const setBy = async (by: Caller, ...given: Given[]) => {
    const result = await world.segments.setAttributes(
      by,
      given.map(([userId, attributes]) => ({ userId, attributes })),
    );
    return result.ok ? result.value : result.errors;
  };
  const stored = async () =>
    (await world.postgres.query('SELECT user_id, attributes FROM user_attributes ORDER BY user_id')).rows.map(
      ({ user_id, attributes }) => [user_id, attributes],
    );

  it('merges, counts who changed, and changes nothing where a part of it is refused', async () => {
    await world.store([]);
    expect(await set(['ada', { tier: 'gold', visits: 3 }], ['bob', { tier: null }])).toBe(1);
    expect(await set(['ada', { visits: null, tier: 'gold' }], ['bob', { tier: 'tin' }])).toBe(2);
    expect(await set(['ada', { tier: 'gold' }])).toBe(0);
    const before = [
      ['ada', { tier: 'gold' }],
      ['bob', { tier: 'tin' }],
    ];
    expect(await stored()).toEqual(before);
    expect(await set(['eve', { tier: 'tin', fresh: 1 }], ['bob', { tier: 3 }])).toMatchObject([
      { code: 'ATTRIBUTE_TYPE', path: ['input', 'users', '1', 'attributes', 'tier'] },
    ]);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`many${n}`, n]));
    expect(await set(['eve', { tier: 'tin' }], ['ada', many])).toMatchObject([
      { code: 'TOO_MANY_ATTRIBUTES', path: ['input', 'users', '1', 'attributes'] },
    ]);
    expect(await stored()).toEqual(before);
    const { rows } = await world.postgres.query(
      `SELECT name FROM user_attribute_types WHERE name ~ '^(many|fresh)'`,
    );
    expect(rows).toEqual([]);
  });

  it('gives a name one type, whichever of many calls at once comes first', async () => {
    await world.store([]);
    const kinds: readonly unknown[] = ['text', 1, true, ['list'], '2026-01-31'];
    for (let round = 0; round < 10; round += 1) {
      const name = `raced${round}`;
      const outcomes = await Promise.all(
        kinds.map((value, index) => set([`racer-${index}`, { [name]: value }])),
      );
      const accepted = outcomes.filter((outcome) => outcome === 1);
      const types = await world.postgres.query('SELECT type FROM user_attribute_types WHERE name = $1', [
        name,
      ]);
      expect(types.rows).toHaveLength(1);
      // A date is also a text.
      expect(accepted.length).toBe(types.rows[0]!.type === 'string' ? 2 : 1);
      const values = await world.postgres.query(
        'SELECT DISTINCT jsonb_typeof(attributes -> $1) AS kind FROM user_attributes WHERE attributes ? $1',
        [name],
      );
      expect(values.rows).toHaveLength(1);
    }
  });

  it('of the same users by many at once loses nothing, and nobody gets more than 50', async () => {
    await world.store([]);
    const people = Array.from({ length: 40 }, (_, n) => `user-${n}`);
    const names = Array.from({ length: 8 }, (_, n) => `at${n}`);
    await Promise.all(
      names.map((name, n) =>
        set(
          ...(n % 2 === 0 ? people : people.toReversed()).map((id): [string, Record<string, unknown>] => [
            id,
            { [name]: n },
          ]),
        ),
      ),
    );
    expect((await stored()).map(([, attributes]) => Object.keys(attributes).length)).toEqual(
      Array(40).fill(8),
    );
    const parts = Array.from({ length: 4 }, (_, part) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`part${part}_${n}`, 1])),
    );
    const outcomes = await Promise.all(parts.map((part) => set(['fresh', part])));
    expect(outcomes.filter((outcome) => outcome === 1)).toHaveLength(2);
    expect(outcomes.flat().filter((one) => typeof one === 'object')).toMatchObject(
      Array(2).fill({ code: 'TOO_MANY_ATTRIBUTES' }),
    );
  });

  it('makes no more than 1,000 names', async () => {
    await world.store([]);
    const { rows } = await world.postgres.query('SELECT count(*)::int AS count FROM user_attribute_types');
    await world.postgres.query(
      `INSERT INTO user_attribute_types (name, type, created_by)
       SELECT 'filler' || n, 'number', 'others' FROM generate_series(1, $1::int) n`,
      [999 - rows[0]!.count],
    );
    expect(await set(['ada', { last: 1, over: 1 }])).toMatchObject([{ code: 'TOO_MANY_ATTRIBUTES' }]);
    expect(await set(['ada', { last: 1 }])).toBe(1);
    expect(await set(['ada', { over: 1 }])).toMatchObject([{ code: 'TOO_MANY_ATTRIBUTES' }]);
    await world.postgres.query(`DELETE FROM user_attribute_types WHERE name ~ '^filler'`);
  });

  it('makes 200 names of one producer at most, and more of others and of admins', async () => {
    await world.store([]);
    const greedy = caller('greedy', 'producer');
    const names = (from: number, count: number): Given[] =>
      Array.from({ length: count / 10 }, (_, row) => [
        `user-${from + row * 10}`,
        Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`greedy${from + row * 10 + n}`, 1])),
      ]);
    expect(await setBy(greedy, ...names(0, 190))).toBe(19);
    const outcomes = await Promise.all([200, 300].map((from) => setBy(greedy, ...names(from, 10))));
    expect(outcomes).toContain(1);
    expect(outcomes.flat()).toContainEqual({
      code: 'TOO_MANY_ATTRIBUTES',
      message: 'A producer makes at most 200 of the attributes that there are; an admin may make more',
      path: ['input', 'users'],
    });
    // What there is, they may go on to use.
    expect(await setBy(greedy, ['user-0', { greedy1: 2 }])).toBe(1);
    expect(await setBy(shop, ['user-0', { ofAnother: 2 }])).toBe(1);
    expect(await setBy(admin, ...names(400, 210))).toBe(21);
    await world.postgres.query(`DELETE FROM user_attribute_types WHERE name ~ '^greedy'`);
  });
});
