import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sendBatch } from '../../src/domains/notifications/campaigns/send-batch.js';
import { createDedup } from '../../src/domains/notifications/intake/dedup.js';
import {
  createSchedule,
  type NewSchedule,
} from '../../src/domains/notifications/schedule/recurring/schedules.js';
import { createActiveTemplates } from '../../src/domains/notifications/templates/active-templates.js';
import { type LocalPostgres, startPostgres } from '../../src/local/postgres.js';
import { systemClock } from '../../src/platform/clock.js';
import { type AppendCommand, createEventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { createClient } from '../../src/platform/postgres/clients.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { isUnavailable } from '../../src/platform/unavailable.js';
import { caller } from '../notifications/notification-world.js';

/** A server of its own, since synchronous replication is a setting of the whole server. */
let folder: string;
let server: LocalPostgres;
let postgres: Postgres;
let admin: Postgres;
const open = (name: string): Postgres =>
  openPostgres(server.url, { max: 4, applicationName: name, onError: () => undefined });

const launch = () =>
  startPostgres({ dataDir: path.join(folder, 'postgres'), durable: true, say: () => undefined });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-standby-'));
  // As root, the server runs as another user, who must get through to its folder.
  await chmod(folder, 0o711);
  server = await launch();
  await migrate(server.url);
  [postgres, admin] = [open('writer'), open('admin')];
  await admin.query('CREATE TABLE notes (text text)');
});
afterAll(async () => {
  await Promise.all([postgres?.close(), admin?.close()]);
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Commits wait for a standby of this name; '' for none. */
async function standbyIs(name: string): Promise<void> {
  await admin.query('SET synchronous_commit = off');
  await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await admin.query('SELECT pg_reload_conf()');
  const show = async () => (await admin.query(`SHOW synchronous_standby_names`)).rows;
  await vi.waitFor(async () => expect(await show()).toEqual([{ synchronous_standby_names: name }]));
  if (name !== '') await untilCommitsWait();
}

/** What the setting says holds for commits once the checkpointer has read it, too. */
async function untilCommitsWait(): Promise<void> {
  const probe = new pg.Client({ connectionString: server.url, application_name: 'probe' });
  await probe.connect();
  try {
    await vi.waitFor(async () => {
      let isOver = false;
      const commit = outcomeOf(probe.query(`SELECT pg_logical_emit_message(true, 'probe', '')`)).finally(
        () => {
          isOver = true;
        },
      );
      let cancelled = 0;
      while (!isOver && cancelled === 0) {
        const { rows } = await admin.query(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
           WHERE application_name = 'probe' AND wait_event = 'SyncRep'`,
        );
        cancelled = rows.length;
      }
      await commit;
      expect(cancelled).toBe(1);
    }, 20_000);
  } finally {
    await probe.end();
  }
}

/** Cancels the wait of each commit that waits for a standby, as an operator would. @returns once there was one */
async function cancelWaits(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await admin.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
      );
      expect(rows.length).toBeGreaterThan(0);
    },
    { timeout: 20_000, interval: 20 },
  );
}

/** What becomes of work whose commits wait for a standby, however often, and are cancelled each time. */
async function outcomeOfCancelled(work: Promise<unknown>): Promise<unknown> {
  let isOver = false;
  const outcome = outcomeOf(work).finally(() => {
    isOver = true;
  });
  await vi.waitFor(
    async () => {
      await admin.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
      expect(isOver).toBe(true);
    },
    { timeout: 20_000, interval: 20 },
  );
  return outcome;
}

const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'acknowledged',
    (error: unknown) => error,
  );

const stored = async (text: string): Promise<number> =>
  (await admin.query('SELECT FROM notes WHERE text = $1', [text])).rows.length;

it('a write is not acknowledged whose wait for the synchronous standby was cancelled', async () => {
  await standbyIs('nobody');
  const alone = postgres.query(`INSERT INTO notes VALUES ('alone')`);
  expect(isUnavailable(await outcomeOfCancelled(alone))).toBe(true);
  // It is there, and would be lost if the standby took over.
  expect(await stored('alone')).toBe(1);

  const together = postgres.transaction((tx) => tx.query(`INSERT INTO notes VALUES ('together')`));
  expect(isUnavailable(await outcomeOfCancelled(together))).toBe(true);
  expect(postgres.pool.totalCount).toBe(0);
  await standbyIs('');
});

const noted = (commandId: string): AppendCommand => ({
  commandId,
  body: { note: commandId },
  metadata: { correlationId: 'story', causationId: 'test', userId: 'alice' },
  appends: [{ streamId: `Note-${commandId}`, expected: 'any', events: [{ type: 'Noted', data: {} }] }],
});

it.each([
  ['alone', ['first']],
  ['with another', ['second', 'third']],
])(
  'a repeat of a command that comes %s is acknowledged once its first try is on the synchronous standby',
  async (_, commandIds) => {
    const log = createEventLog({ postgres, ids: uuidV7Ids(systemClock), callTimeoutMs: 60_000 });
    const [commandId] = commandIds;
    await standbyIs('nobody');
    let isAcknowledged = false;
    const appended = Promise.all(commandIds.map((id) => log.append(noted(id))));
    void outcomeOf(appended).then(() => {
      isAcknowledged = true;
    });
    // The first try is committed, and its repeat waits in its turn.
    await cancelWaits();
    await cancelWaits();
    await cancelWaits();
    const looked = log.findCommandResult(commandId!, { note: commandId! });
    expect(isUnavailable(await outcomeOfCancelled(looked))).toBe(true);
    expect(isAcknowledged).toBe(false);
    await standbyIs('');
    for (const one of await appended) expect(one).toMatchObject({ kind: 'accepted', repeated: true });
  },
);

/** The first answer comes while no standby is asked; the second must not, where one is asked and does not confirm. */
async function expectToWait(ask: () => Promise<unknown>): Promise<void> {
  const first = await ask();
  await standbyIs('nobody');
  expect(isUnavailable(await outcomeOfCancelled(ask()))).toBe(true);
  await standbyIs('');
  expect(await ask()).toEqual(first);
}

const shop = caller('shop', 'producer');

/** What is sent by it takes no variables. */
async function withTemplate() {
  await admin.query(
    `INSERT INTO notification_templates (template_id, notification_type, channel, title, body, variables)
     VALUES ('sale', 'SALE', 'push', 'Sale', 'Today', '{}') ON CONFLICT DO NOTHING`,
  );
  const activeTemplates = createActiveTemplates({
    postgres,
    freshness: { keep: () => undefined, mayAnswer: () => false },
  });
  return { postgres, clock: systemClock, ids: uuidV7Ids(systemClock), activeTemplates };
}

it('a repeat of a batch is acknowledged once its first try is on the synchronous standby', async () => {
  const deps = await withTemplate();
  const segments = { estimateOf: () => Promise.reject(new Error('nothing to estimate')) };
  const request = { batchId: 'sale', templateId: 'sale', segment: { filter: 'followerCount >= 0' } };
  await expectToWait(() =>
    sendBatch({ ...deps, segments }, shop, { ...request, throttle: { maxPerSecond: 1 } }),
  );
});

it('a repeat of a schedule is acknowledged once its first try is on the synchronous standby', async () => {
  const deps = await withTemplate();
  const input = {
    scheduleId: 'weekly',
    rrule: 'FREQ=WEEKLY',
    startsAt: new Date(Date.now() + 3_600_000),
    type: 'SALE',
    templateId: 'sale',
    recipients: [{ userId: 'alice' }],
  };
  await expectToWait(() => createSchedule(deps, shop, input as unknown as NewSchedule));
});

it('a repeat of a notification is acknowledged once its first try is on the synchronous standby', async () => {
  await admin.query(
    `INSERT INTO notification_ids (producer, notification_id, request_id, body_hash, response, first_seen)
     VALUES ('shop', 'once', gen_random_uuid(), decode('ab', 'hex'), '{}', now())`,
  );
  const dedup = createDedup(postgres);
  const claimed = { producer: 'shop', notificationId: 'once', fingerprint: 'ab' };
  await expectToWait(() => dedup(claimed, Date.now()));
});

it('a connection to a standby is refused as one to a server that is away, unless it is asked for', async () => {
  await Promise.all([postgres.close(), admin.close()]);
  await server.stop();
  await writeFile(path.join(server.folder, 'cluster', 'standby.signal'), '');
  server = await launch();
  [postgres, admin] = [open('writer'), open('admin')];
  const client = createClient(server.url, { applicationName: 'alone' });
  for (const connect of [() => postgres.query('SELECT 1'), () => client.connect()]) {
    const error = await outcomeOf(connect());
    expect(String(error)).toContain('standby');
    expect(isUnavailable(error)).toBe(true);
  }
  expect(postgres.pool.totalCount).toBe(0);
  const reader = createClient(server.url, { applicationName: 'reader', mayBeStandby: true });
  await reader.connect();
  expect((await reader.query('SELECT pg_is_in_recovery() AS yes')).rows).toEqual([{ yes: true }]);
  await reader.end();
});
