import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { runSchedules, type ScheduledTask } from '../../src/platform/queues/schedules.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const silent = pino({ level: 'silent' });
const EVERY_MS = 100;
let database: TestDatabase;
let postgres: Postgres;
const open = new Set<{ close(): Promise<void> }>();

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 10, applicationName: 'test', onError: () => undefined });
});
afterEach(async () => {
  await Promise.all([...open].map((one) => one.close()));
  open.clear();
  await postgres.query('DELETE FROM schedules');
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

/** One process's schedules. */
function startProcess(tasks: readonly ScheduledTask[], leaseMs = 1_000, metrics = new Registry()) {
  const schedules = runSchedules(tasks, { postgres, logger: silent, metrics, leaseMs });
  open.add(schedules);
  return schedules;
}
const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 20_000, interval: 10 });

/** A task that counts its runs. */
function counting(name: string, everyMs = EVERY_MS, work: ScheduledTask['run'] = async () => undefined) {
  const counted = { runs: 0, atOnce: 0, mostAtOnce: 0 };
  const task: ScheduledTask = {
    name,
    everyMs,
    async run(job) {
      counted.runs += 1;
      counted.atOnce += 1;
      counted.mostAtOnce = Math.max(counted.mostAtOnce, counted.atOnce);
      await work(job).finally(() => (counted.atOnce -= 1));
    },
  };
  return { task, counted };
}
const goesOn = async (counted: { readonly runs: number }) => {
  const before = counted.runs;
  await until(() => expect(counted.runs).toBeGreaterThan(before + 2));
};

/** Of everything that nobody holds on to. */
async function collectGarbage(): Promise<void> {
  // A turn later: what was looked at by a weak reference lives until then.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

it('a task runs again and again, on one process at a time, however many have it', async () => {
  const began = performance.now();
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
  const { task, counted } = counting('shared', EVERY_MS, pause);
  for (let process = 0; process < 4; process += 1) startProcess([task]);
  await until(() => expect(counted.runs).toBeGreaterThan(10));
  expect(counted.mostAtOnce).toBe(1);
  expect(counted.runs).toBeLessThanOrEqual((performance.now() - began) / EVERY_MS + 2);
});

it.each([
  ['ahead', '1 hour'],
  ['behind', '-1 hour'],
])(
  'a time that was written by a database whose clock was an hour %s keeps no task waiting',
  async (_, by) => {
    const { task, counted } = counting('misled');
    startProcess([task]);
    await goesOn(counted);
    await postgres.query(
      'UPDATE schedules SET due_at = due_at + $1::interval, next_at = next_at + $1::interval',
      [by],
    );
    await goesOn(counted);
  },
);

it('a task that is taken by a process which dies is run by another one when its lease ends', async () => {
  const { task, counted } = counting('orphaned');
  await postgres.query(
    `INSERT INTO schedules (name, due_at, next_at, run_id)
     VALUES ('orphaned', now() + interval '1 second', now() + interval '1 hour', gen_random_uuid())`,
  );
  startProcess([task]);
  await goesOn(counted);
});

it('a task that takes longer than its lease is kept by its process', async () => {
  const leaseEnd = async () =>
    (await postgres.query<{ due_at: string }>(`SELECT due_at::text FROM schedules WHERE name = 'long'`))
      .rows[0]!.due_at;
  const isOver = async (end: string) =>
    (await postgres.query<{ over: boolean }>('SELECT now() > $1::timestamptz AS over', [end])).rows[0]!.over;
  const { task, counted } = counting('long', EVERY_MS, async () => {
    for (let lease = 0; lease < 2; lease += 1) {
      const end = await leaseEnd();
      await until(async () => expect(await isOver(end)).toBe(true));
    }
  });
  // Renewed each third of it: a machine that stands still for as long loses it, and rightly.
  for (let process = 0; process < 3; process += 1) startProcess([task], 2_000);
  await until(() => expect(counted.runs).toBe(2));
  expect(counted.mostAtOnce).toBe(1);
});

it('a task whose process lost it hears so', async () => {
  let heard = false;
  const { task } = counting('lost', EVERY_MS, ({ signal }) => {
    if (heard) return Promise.resolve();
    return new Promise((resolve) =>
      signal.addEventListener('abort', () => {
        heard = true;
        resolve();
      }),
    );
  });
  startProcess([task], 300);
  await until(async () =>
    expect(
      (await postgres.query(`UPDATE schedules SET run_id = gen_random_uuid() WHERE run_id IS NOT NULL`))
        .rowCount,
    ).toBe(1),
  );
  await until(() => expect(heard).toBe(true));
});

it('a task that fails is run again at its next time, and counted', async () => {
  const metrics = new Registry();
  const { task, counted } = counting('failing', EVERY_MS, () => Promise.reject(new Error('no')));
  startProcess([task], 1_000, metrics);
  await goesOn(counted);
  const text = await metrics.metrics();
  expect(text).toMatch(/schedule_runs_total\{task="failing",outcome="failed"\} \d+/);
  expect(text).toMatch(/schedule_overdue_seconds\{task="failing"\} \d/);
});

it('schedules go on where their rows were lost or Postgres cut the connections', async () => {
  const { task, counted } = counting('cut');
  const schedules = startProcess([task]);
  await goesOn(counted);
  await postgres
    .query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()`)
    .catch(() => undefined);
  await goesOn(counted);
  await schedules.close();
  await postgres.query('DELETE FROM schedules');
  startProcess([task]);
  await goesOn(counted);
});

it('closing waits for what runs, which hears that it should end', async () => {
  let finished = false;
  const { task, counted } = counting('draining', EVERY_MS, ({ signal }) => {
    return new Promise((resolve) =>
      signal.addEventListener('abort', () =>
        setImmediate(() => {
          finished = true;
          resolve();
        }),
      ),
    );
  });
  const schedules = startProcess([task]);
  await until(() => expect(counted.runs).toBe(1));
  await schedules.close();
  expect(finished).toBe(true);
  const { rows } = await postgres.query(`SELECT FROM schedules WHERE run_id IS NOT NULL`);
  expect(rows).toEqual([]);
});

it('a run that hangs is shown, given up and made again, but not without end', async () => {
  const metrics = new Registry();
  const signals: AbortSignal[] = [];
  const { task, counted } = counting('hanging', EVERY_MS, ({ signal }) => {
    signals.push(signal);
    return new Promise(() => undefined);
  });
  const { task: other, counted: others } = counting('other');
  const schedules = startProcess([{ ...task, longestMs: 300 }, other], 1_000, metrics);
  await until(async () =>
    expect(await metrics.metrics()).toMatch(/schedule_run_seconds\{task="hanging"\} 0\.\d/),
  );
  await until(async () =>
    expect(await metrics.metrics()).toMatch(/schedule_runs_total\{task="hanging",outcome="overrun"\} 3/),
  );
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  // What does not even end when it is told to is not begun for ever; others go on.
  await goesOn(others);
  expect(counted.runs).toBe(3);
  await until(async () =>
    expect(await metrics.metrics()).not.toContain('schedule_run_seconds{task="hanging"}'),
  );
  await schedules.close();
  const { counted: elsewhere, task: healthy } = counting('hanging');
  startProcess([healthy]);
  await goesOn(elsewhere);
});

it('a run that was given up long ago still sees so', async () => {
  const signals: AbortSignal[] = [];
  const { task } = counting('forgotten', EVERY_MS, ({ signal }) => {
    signals.push(signal);
    return new Promise(() => undefined);
  });
  const metrics = new Registry();
  startProcess([{ ...task, longestMs: 50 }], 1_000, metrics);
  await until(async () =>
    expect(await metrics.metrics()).toMatch(/schedule_runs_total\{task="forgotten",outcome="overrun"\} 3/),
  );
  await collectGarbage();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
});

it('a lease is renewed by one query at a time, and counts as lost when Postgres hangs', async () => {
  let isHung = false;
  const asked: string[] = [];
  const hanging: Pick<Postgres, 'query'> = {
    query(statement, values) {
      if (!isHung) return postgres.query(statement, values);
      asked.push(typeof statement === 'string' ? statement : statement.name);
      return new Promise(() => undefined);
    },
  };
  let signal: AbortSignal | undefined;
  const { task } = counting('waiting', EVERY_MS, (job) => {
    signal = job.signal;
    return new Promise((resolve) => signal!.addEventListener('abort', () => resolve()));
  });
  runSchedules([task], { postgres: hanging, logger: silent, metrics: new Registry(), leaseMs: 300 });
  await until(() => expect(signal).toBeDefined());
  isHung = true;
  await until(() => expect(signal!.aborted).toBe(true));
  expect(asked.filter((name) => name.endsWith('.renew')).length).toBeLessThanOrEqual(1);
});
