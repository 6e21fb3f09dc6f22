import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** What processes of the version before say, word for word. */
const former = {
  readCheckpoint: `INSERT INTO projector_checkpoints (projector_name, rebuildable) VALUES ($1, $2)
    ON CONFLICT (projector_name) DO UPDATE SET rebuildable = $2
    RETURNING last_position`,
  moveCheckpoint: `UPDATE projector_checkpoints SET last_position = $3, updated_at = now()
    WHERE projector_name = $1 AND last_position = $2 RETURNING last_position`,
  confirmCheckpoint: 'SELECT FROM projector_checkpoints WHERE projector_name = $1 AND last_position = $2',
  holdCheckpoint: 'SELECT last_position FROM projector_checkpoints WHERE projector_name = $1 FOR UPDATE',
  register:
    'INSERT INTO schedules (name, due_at) SELECT name, now() FROM unnest($1::text[]) AS name ON CONFLICT DO NOTHING',
  renew: `UPDATE schedules SET due_at = now() + $3::int * interval '1 ms' WHERE run_id = $1 AND name = $2 RETURNING name`,
  finish:
    'UPDATE schedules SET run_id = NULL, due_at = greatest(next_at, now()) WHERE run_id = $1 AND name = $2',
} as const;
/** What this version moves a position by. */
const move = `UPDATE projector_positions SET position = $3, moved_at = now()
  WHERE projector_name = $1 AND position = $2 RETURNING position`;
const RUN = '00000000-0000-4000-8000-000000000001';

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

const one = async (statement: string, values: readonly unknown[]) =>
  (await postgres.query<Record<string, unknown>>(statement, values)).rows[0];
const positionOf = async (name: string) =>
  (await one('SELECT projector_position($1) AS position', [name]))?.position;

it('a projector of the version before goes on where one of this version left it, and the other way', async () => {
  expect(await one(former.readCheckpoint, ['a', true])).toEqual({ last_position: 0 });
  expect(await one(former.moveCheckpoint, ['a', 0, 7])).toEqual({ last_position: 7 });
  expect(await positionOf('a')).toBe(7);
  expect(await one(move, ['a', 7, 12])).toEqual({ position: 12 });
  expect(await one(former.readCheckpoint, ['a', false])).toEqual({ last_position: 12 });
  expect(await one(former.confirmCheckpoint, ['a', 12])).toEqual({});
  expect(await one(former.moveCheckpoint, ['a', 12, 20])).toEqual({ last_position: 20 });
  expect(await positionOf('a')).toBe(20);
});

it('of two holders, one of each version, one moves a checkpoint', async () => {
  await one(former.readCheckpoint, ['b', true]);
  await one(former.moveCheckpoint, ['b', 0, 1]);
  for (let position = 1; position < 40; position += 1) {
    const moved = await Promise.all([
      postgres.query(former.moveCheckpoint, ['b', position, position + 1]),
      postgres.query(move, ['b', position, position + 1]),
      postgres.query(former.moveCheckpoint, ['b', position, position + 1]),
    ]);
    expect(moved.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)).toBe(1);
    expect(await positionOf('b')).toBe(position + 1);
  }
  // Passed over by the other: where it believes to be is not where it is.
  expect(await one(former.moveCheckpoint, ['b', 39, 50])).toBeUndefined();
  expect(await one(former.confirmCheckpoint, ['b', 39])).toBeUndefined();
});

it('who holds a checkpoint in the version before waits for its batch, and reads what that has moved to', async () => {
  await one(former.readCheckpoint, ['c', true]);
  await one(former.moveCheckpoint, ['c', 0, 5]);
  const held = await postgres.transaction(async (tx) => {
    await tx.query(former.moveCheckpoint, ['c', 5, 9]);
    const holding = postgres.transaction(
      async (other) => (await other.query(former.holdCheckpoint, ['c'])).rows[0],
    );
    await expect
      .poll(async () => (await one('SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted', []))?.n)
      .toBeGreaterThan(0);
    return { holding };
  });
  expect(await held.holding).toEqual({ last_position: 9 });
});

it('a schedule has one row, whichever version registers, renews and finishes it', async () => {
  await one(former.register, [['s', 't']]);
  await postgres.query(
    `UPDATE schedules SET turn = turn + 5, run_id = $1, next_at = now() + interval '1 hour'`,
    [RUN],
  );
  await one(former.register, [['s', 't']]);
  expect(await one(former.renew, [RUN, 's', 5_000])).toEqual({ name: 's' });
  await one(former.finish, [RUN, 's']);
  const { rows } = await postgres.query(
    'SELECT name, turn, run_id AS "runId", due_at > now() AS "isLater" FROM schedules ORDER BY name',
  );
  expect(rows).toEqual([
    { name: 's', turn: 5, runId: null, isLater: true },
    { name: 't', turn: 5, runId: RUN, isLater: false },
  ]);
});
