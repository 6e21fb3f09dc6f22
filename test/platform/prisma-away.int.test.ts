import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { openPrisma } from '../../src/platform/postgres/prisma.js';
import { isUnavailable, unavailability } from '../../src/platform/unavailable.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let admin: Postgres;
let postgres: Postgres;
let prisma: Awaited<ReturnType<ReturnType<typeof openPrisma>['client']>>;

beforeAll(async () => {
  database = await createTestDatabase();
  const options = { max: 1, applicationName: 'test', onError: () => undefined };
  [admin, postgres] = [openPostgres(database.url, options), openPostgres(database.url, options)];
  prisma = await openPrisma(postgres).client();
  await admin.query(
    `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = TG_ARGV[0]; END $$`,
  );
});
afterAll(async () => {
  await Promise.all([postgres?.close(), admin?.close()]);
  await database?.drop();
});

const mute = { userId: 1n, mutedId: 2n };
/** Ways by which Prisma writes: each has errors of its own. */
const writes: [string, () => Promise<unknown>][] = [
  ['a model', () => prisma.mute.create({ data: mute })],
  ['raw SQL', () => prisma.$executeRaw`INSERT INTO mutes (user_id, muted_id) VALUES (1, 2)`],
  ['a transaction', () => prisma.$transaction([prisma.mute.create({ data: mute })])],
  ['an interactive transaction', () => prisma.$transaction((tx) => tx.mute.create({ data: mute }))],
];
const failureOf = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => 'it was written',
    (error: unknown) => error,
  );

it.each(writes)('a full disk is no fault of the code, whichever way Prisma writes: %s', async (_, write) => {
  for (const [code, retryAfterSeconds] of [
    ['53100', 30],
    ['53200', 30],
    ['25006', 2],
    ['57P01', 2],
  ] as const) {
    await admin.query(
      `CREATE TRIGGER no_room BEFORE INSERT ON mutes FOR EACH ROW EXECUTE FUNCTION no_room('${code}')`,
    );
    const error = await failureOf(write);
    await admin.query('DROP TRIGGER no_room ON mutes');
    expect([code, unavailability(error)], String(error)).toEqual([code, { retryAfterSeconds }]);
  }
});

it.each(writes)(
  'a connection that is cut is no fault of the code, and the next write succeeds: %s',
  async (_, write) => {
    await prisma.$queryRaw`SELECT 1`;
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    const error = await failureOf(write);
    if (error !== 'it was written') expect(isUnavailable(error), String(error)).toBe(true);
    await expect.poll(() => failureOf(() => prisma.$queryRaw`SELECT 1`)).toBe('it was written');
    await admin.query('DELETE FROM mutes');
  },
);

it('a pool without a free connection is no fault of the code, and says so within seconds', async () => {
  const held = Promise.withResolvers<void>();
  const holding = postgres.transaction(() => held.promise);
  const failures = await Promise.all([
    ...writes.map(([, write]) => failureOf(write)),
    failureOf(() => postgres.query('SELECT 1')),
  ]);
  held.resolve();
  await holding;
  for (const error of failures) expect(isUnavailable(error), String(error)).toBe(true);
});
