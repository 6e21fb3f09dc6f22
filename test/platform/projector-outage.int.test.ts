import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { createEventLog, createLogTail, type EventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { observeLag } from '../../src/platform/projector/metrics.js';
import type { Projector } from '../../src/platform/projector/projector.js';
import { createProjectorMetrics, runProjector } from '../../src/platform/projector/run.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.js';

let database: TestDatabase;
let proxy: FaultyProxy;
let postgres: Postgres;
let log: EventLog;
const registry = new Registry();

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startFaultyProxy(database.url);
  postgres = openPostgres(database.url, { max: 4, applicationName: 'test', onError: () => undefined });
  log = createEventLog({ postgres, ids: uuidV7Ids(systemClock) });
});
afterAll(async () => {
  await postgres.close();
  await proxy.close();
  await database.drop();
});

const note = () =>
  log.append({
    metadata: { correlationId: 'story', causationId: 'test', userId: 'alice' },
    appends: [{ streamId: 'Notes', expected: 'any', events: [{ type: 'Noted', data: {} }] }],
  });

async function running(
  projector: Projector,
  work: () => Promise<void>,
  tail = createLogTail(log),
): Promise<void> {
  const stopping = new AbortController();
  const watch = { grown: () => new Promise<void>((resolve) => void setImmediate(resolve)) };
  const metrics = createProjectorMetrics(new Registry());
  const logger = pino({ level: 'silent' });
  const ended = runProjector(
    {
      databaseUrl: proxy.url,
      log,
      tail,
      watch,
      wakeUps: { publish: async () => undefined },
      logger,
      metrics,
      queryTimeoutMs: 500,
    },
    projector,
    stopping.signal,
  );
  try {
    await work();
  } finally {
    stopping.abort();
    await ended;
  }
}

it('a projector whose connection goes silent in the middle of a batch takes it up on a new one', async () => {
  let tries = 0;
  const applied: number[] = [];
  const projector: Projector = {
    name: 'silenced',
    eventTypes: new Set(['Noted']),
    async apply(events, tx) {
      tries += 1;
      if (tries === 1) proxy.silence();
      await tx.query('SELECT 1');
      applied.push(...events.map((event) => event.globalPosition));
      return undefined;
    },
  };
  await note();
  // The new connection may be to a server that lacks what was read on the one before.
  const tail = createLogTail(log);
  const forget = vi.spyOn(tail, 'forget');
  const retaken = async (): Promise<void> => {
    await vi.waitFor(() => expect(applied).toEqual([1]), { timeout: 10_000 });
    expect(forget).toHaveBeenCalledTimes(2);
  };
  await running(projector, retaken, tail);
  const { rows } = await postgres.query('SELECT 1 FROM projector_failures');
  expect(rows).toEqual([]);
});

it('a projector’s session lets the server notice a client that is gone without a word', async () => {
  const settings: unknown[] = [];
  const projector: Projector = {
    name: 'noticed',
    eventTypes: new Set(['Noted']),
    async apply(_, tx) {
      const { rows } = await tx.query(
        `SELECT current_setting('tcp_keepalives_idle')::int AS idle, current_setting('tcp_user_timeout') AS unanswered`,
      );
      settings.push(...rows);
      return undefined;
    },
  };
  await note();
  await running(projector, async () => {
    await vi.waitFor(() => expect(settings[0]).toEqual({ idle: 5, unanswered: '15000' }), 15_000);
  });
});

it('the lag of every projector is measured on a scrape, and left out while the database is away', async () => {
  observeLag(registry, postgres);
  await postgres.query(`INSERT INTO projectors (projector_name) VALUES ('slow')`);
  const head = await log.head();
  const text = await registry.metrics();
  expect(text).toContain(`log_head_position ${head}`);
  expect(text).toContain(`projector_lag_events{projector="slow"} ${head}`);

  const away = new Registry();
  observeLag(away, { query: () => Promise.reject(new Error('away')) });
  await expect(away.metrics()).resolves.not.toMatch(/^(log_head|projector_lag)/m);
});
