import { createECDH, randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const prisma = new URL('../../prisma/', import.meta.url);
const COLUMNS = '20261123162014_web_push_keys';
const REWRITE = '20261123162015_web_push_keys_apart';
const INDEX = '20261123162016_device_token_hash';
const OLD_INDEX_GONE = '20261123162017_device_token_hash_alone';

let database: TestDatabase;
let folder: string;
let client: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-web-push-keys-'));
  client = await connect();
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
});
afterEach(async () => {
  await client?.end();
  await database?.drop();
  await rm(folder, { recursive: true });
});

async function connect(): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString: database.url });
  await connected.connect();
  return connected;
}

/** All migrations before this one. Functions may need tables of later ones. */
const migrateBefore = (migration: string): Promise<void> => migrateThose((name) => name < migration);

/** These migrations, without functions. */
async function migrateThose(isOne: (name: string) => boolean): Promise<void> {
  const isLeftOut = (source: string): boolean => {
    const [parent, name] = [path.basename(path.dirname(source)), path.basename(source)];
    return parent === 'functions' || (parent === 'migrations' && /^\d/.test(name) && !isOne(name));
  };
  await cp(prisma, folder, { recursive: true, filter: (source) => !isLeftOut(source) });
  await migrate(database.url, { folder: pathToFileURL(`${folder}/`) });
}

const register = (by: pg.Client, userId: string, platform: string, token: string) =>
  by.query("INSERT INTO user_devices (user_id, device_id, platform, device_token) VALUES ($1, 'd', $2, $3)", [
    userId,
    platform,
    token,
  ]);
const devices = async (by: pg.Client) =>
  (await by.query('SELECT user_id, device_token AS token, p256dh, auth FROM user_devices ORDER BY user_id'))
    .rows;

test('browsers that subscribed before their keys stood apart keep their endpoints and keys', async () => {
  await migrateBefore(COLUMNS);
  const [keys, endpoint] = [someKeys(), 'https://fcm.googleapis.com/fcm/send/abc:def?a=b'];
  const odd = JSON.stringify({ endpoint: 'https://x.example/?\\', keys });
  const written = JSON.stringify({ endpoint, keys });
  await register(client, 'ann', 'web', written);
  await register(client, 'bob', 'web', odd);
  await register(client, 'eve', 'ios', 'a1b2c3');
  await register(client, 'ivy', 'android', written);
  await migrate(database.url);
  const none = { p256dh: null, auth: null };
  expect(await devices(client)).toEqual([
    { user_id: 'ann', token: endpoint, ...keys },
    { user_id: 'bob', token: odd, ...none },
    { user_id: 'eve', token: 'a1b2c3', ...none },
    { user_id: 'ivy', token: written, ...none },
  ]);
});

test('devices are registered and read while stored subscriptions are rewritten', async () => {
  await migrateBefore(REWRITE);
  const keys = someKeys();
  await register(client, 'ann', 'web', JSON.stringify({ endpoint: 'https://push.example/ann', keys }));
  const other = await connect();
  try {
    // Keeps the rewriting from its end.
    await other.query('BEGIN');
    await other.query("SELECT FROM user_devices WHERE user_id = 'ann' FOR UPDATE");
    const migrated = migrate(database.url);
    await vi.waitFor(async () => expect(await rewriting()).toEqual([{ waits: 'Lock' }]), { timeout: 20_000 });
    await client.query("SET lock_timeout = '1s'");
    await register(client, 'eve', 'ios', 'a1b2c3');
    expect(await devices(client)).toHaveLength(2);
    await other.query('COMMIT');
    await migrated;
    expect((await devices(client))[0]).toEqual({
      user_id: 'ann',
      token: 'https://push.example/ann',
      ...keys,
    });
  } finally {
    await other.end();
  }
});

test('a push that is claimed at any moment of an upgrade is addressed to the whole subscription', async () => {
  await migrateBefore(COLUMNS);
  await client.query(await readFile(new URL('former-claim-deliveries.sql', import.meta.url), 'utf8'));
  const subscription = { endpoint: 'https://push.example/ann', keys: someKeys() };
  await register(client, 'ann', 'web', JSON.stringify(subscription));
  await queuePush('ann');
  for (const upTo of await migrationsThatConcernPushes()) {
    await migrateThose((name) => name <= upTo);
    expect(await claimedAddress('ann'), upTo).toEqual(subscription);
  }
  await migrate(database.url);
  expect(await claimedAddress('ann')).toEqual(subscription);
});

/** Names of those that change what a claim reads, from the first one on. */
async function migrationsThatConcernPushes(): Promise<string[]> {
  const names = await readdir(new URL('migrations/', prisma));
  const scripts = await Promise.all(
    names
      .filter((name) => /^\d/.test(name) && name >= COLUMNS)
      .map(async (name) => ({
        name,
        script: await readFile(new URL(`migrations/${name}/migration.sql`, prisma), 'utf8'),
      })),
  );
  const concerned = scripts.filter(({ script }) => /user_devices|deliver|notification_requests/.test(script));
  return concerned.map(({ name }) => name).sort();
}

async function queuePush(userId: string): Promise<void> {
  await client.query(
    `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel,
                             priority, status, max_retries, rendered_content)
     VALUES (gen_random_uuid(), gen_random_uuid(), 'n', 'shop', $1, 'GREETING', 'push', 'high', 'QUEUED', 3, '{}')`,
    [userId],
  );
}

/** The lease is over by the next claim. */
async function claimedAddress(userId: string): Promise<unknown> {
  const { rows } = await client.query<{ targets: { address: string }[] }>(
    "SELECT targets FROM claim_deliveries(ARRAY[$1], ARRAY['push'], ARRAY['high'], ARRAY[gen_random_uuid()], 0)",
    [userId],
  );
  const [{ address } = { address: 'null' }] = rows[0]?.targets ?? [];
  return address.startsWith('{') ? JSON.parse(address) : address;
}

test('devices are registered while their tokens’ index is built anew', async () => {
  await migrateBefore(INDEX);
  const other = await connect();
  try {
    // A registration that is under way keeps the building from its end.
    await other.query('BEGIN');
    await register(other, 'ann', 'ios', 'a1b2c3');
    const migrated = migrate(database.url);
    await vi.waitFor(async () => expect(await indexing()).toEqual([{ waits: 'Lock' }]), { timeout: 20_000 });
    await client.query("SET lock_timeout = '500ms'");
    await register(client, 'eve', 'ios', 'd4e5f6');
    await other.query('COMMIT');
    await migrated;
    expect(await tokenIndexes()).toEqual([
      { name: 'user_devices_device_token_idx', kind: 'hash', isValid: true },
    ]);
  } finally {
    await other.end();
  }
});

test('a database that got the new index before it was built so keeps it', async () => {
  await migrate(database.url);
  const before = await tokenIndexes();
  await client.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [OLD_INDEX_GONE]);
  expect((await migrate(database.url)).migrations).toEqual([OLD_INDEX_GONE]);
  expect(await tokenIndexes()).toEqual(before);
});

const tokenIndexes = async () =>
  (
    await client.query(
      `SELECT c.relname AS name, a.amname AS kind, i.indisvalid AS "isValid"
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
       WHERE i.indrelid = 'user_devices'::regclass AND c.relname LIKE '%token%'`,
    )
  ).rows;

const rewriting = () => running('%UPDATE "user_devices"%');
const indexing = () => running('%CREATE INDEX%"user_devices_device_token_hash"%');
const running = async (script: string) =>
  (
    await client.query(
      `SELECT wait_event_type AS waits FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()`,
      [script],
    )
  ).rows;

function someKeys() {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  return { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') };
}
