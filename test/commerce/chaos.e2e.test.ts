import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { type Action, action, perform, prepare } from './chaos-actions.js';
import {
  expectNothingInvented,
  expectReadModelsEqualReplay,
  expectRulesHeld,
  readLog,
} from './chaos-checks.js';

const WRITERS = 16;
/** What each writer does in which turn follows from it. */
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000_000);

let database: TestDatabase;
let redis: TestRedis;
let postgres: Postgres;
let apis: TestProcess[];
let workers: TestProcess[];
let clients: Client[];

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  postgres = openPostgres(database.url, { max: 4, applicationName: 'checks', onError: () => undefined });
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  [apis, workers] = await Promise.all([
    Promise.all([startApi(at), startApi(at)]),
    Promise.all([startWorker(at), startWorker(at)]),
  ]);
  clients = await Promise.all(apis.map(({ url }) => signIn(url, 'shopkeeper', ['user', 'admin'])));
});
afterAll(async () => {
  await Promise.all([...(apis ?? []), ...(workers ?? [])].map((process) => process.kill('SIGKILL')));
  await postgres?.close();
  await Promise.all([database?.drop(), redis?.stop()]);
});

it(`with many writers and two processes that are killed at random, no rule is broken and nothing is lost or done twice (CHAOS_SEED=${seed})`, async () => {
  await prepare(clients[0]!);
  let killing = true;
  const [answers] = await Promise.all([
    Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer, () => killing))),
    killEach().finally(() => {
      killing = false;
    }),
  ]);
  const acknowledged = answers.flat();
  expect(acknowledged.filter(({ version }) => version !== null).length).toBeGreaterThan(WRITERS * 5);

  await vi.waitFor(
    async () => {
      const { rows } = await postgres.query<{ behind: number; pending: number }>(
        `SELECT (SELECT max(global_position) FROM events) - min(position) AS behind,
          (SELECT count(*) FROM outbox) AS pending
          FROM projector_positions`,
      );
      expect(rows[0]).toEqual({ behind: 0, pending: 0 });
    },
    { timeout: 60_000, interval: 100 },
  );
  const log = await readLog(postgres);
  expectNothingInvented(log, acknowledged);
  expectRulesHeld(log);
  await expectReadModelsEqualReplay(postgres, log);
}, 240_000);

/** Goes on for as long as processes are killed. */
async function write(writer: number, killing: () => boolean) {
  const answers = [];
  for (let turn = 0; killing(); turn += 1) {
    const [step] = fc.sample(action, { numRuns: 1, seed: seed + writer * 100_000 + turn }) as [Action];
    const commandId = `w${writer}-${turn}`;
    // Whoever is asked may just be dead: the same command id makes asking another a repeat.
    let asked = writer + turn;
    const answer = await vi.waitFor(() => perform(clients[asked++ % clients.length]!, step, commandId), {
      timeout: 30_000,
      interval: 50,
    });
    answers.push({ ...answer, commandId, kind: step.kind });
  }
  return answers;
}

/** Kills one process after another, each while commands keep coming, and starts it again. */
async function killEach(): Promise<void> {
  for (const victim of [...workers, ...apis]) {
    const from = await head();
    await vi.waitFor(async () => expect(await head()).toBeGreaterThan(from + 40), {
      timeout: 30_000,
      interval: 10,
    });
    await victim.kill('SIGKILL');
    await victim.restart();
  }
}

async function head(): Promise<number> {
  const { rows } = await postgres.query<{ head: number }>('SELECT max(global_position) AS head FROM events');
  return rows[0]!.head;
}
