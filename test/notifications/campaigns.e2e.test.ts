import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { connectTo, forgetAll, startTestRedis, type TestRedis } from '../support/redis.js';
import { until } from './notification-world.js';
import { type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

const saveTemplate = graphql(`
  mutation SaveCampaignTemplate($input: SaveTemplateInput!) {
    saveTemplate(input: $input) { userErrors { code path } }
  }
`);
const sendBatch = graphql(`
  mutation SendBatch($input: SendBatchInput!) {
    sendBatch(input: $input) { campaign { status } userErrors { code path } }
  }
`);
const controlCampaign = graphql(`
  mutation ControlCampaign($input: ControlCampaignInput!) {
    controlCampaign(input: $input) { campaign { status matched } userErrors { code path } }
  }
`);
const findCampaign = graphql(`
  query FindCampaign($batchId: ID!) {
    campaign(batchId: $batchId) { status matched queued suppressed }
  }
`);

let database: TestDatabase;
let redis: TestRedis;
let trial: SandboxTrial;
let api: TestProcess;
let worker: TestProcess;
let postgres: Postgres;
let producer: Client;
const USERS = 300;

beforeAll(async () => {
  [database, redis, trial] = await Promise.all([createTestDatabase(), startTestRedis(), tryWithSandbox()]);
  const at = { databaseUrl: database.url, redisUrl: redis.url, env: { ...trial.sandbox.environment } };
  [api, worker] = await Promise.all([startApi(at), startWorker(at)]);
  postgres = openPostgres(database.url, { max: 2, applicationName: 'test', onError: () => undefined });
  producer = await signIn(api.url, 'shop', ['user', 'producer']);
  const admin = await signIn(api.url, 'root', ['user', 'admin']);
  await admin.run(saveTemplate, {
    input: {
      templateId: 'news',
      notificationType: 'NEWS',
      channel: 'PUSH',
      title: 'News',
      body: 'What is new',
    },
  });
  await postgres.query(
    `INSERT INTO users (user_id, display_name) SELECT 'reader-' || n, 'Reader' FROM generate_series(1, $1::int) AS n`,
    [USERS],
  );
  await postgres.query(
    `INSERT INTO user_devices (user_id, device_id, platform, device_token)
     SELECT user_id, 'phone', 'ios', encode(sha256(convert_to(user_id, 'UTF8')), 'hex') FROM users`,
  );
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  await postgres?.close();
  await Promise.all([database?.drop(), redis?.stop(), trial?.close()]);
});

async function forgetRedis(): Promise<void> {
  const client = await connectTo(redis);
  await forgetAll(client);
  client.disconnect();
}
const progress = async (batchId: string) => (await producer.run(findCampaign, { batchId })).campaign!;
const control = async (batchId: string, action: 'PAUSE' | 'RESUME' | 'CANCEL') =>
  (await producer.run(controlCampaign, { input: { batchId, action } })).controlCampaign;
const send = (batchId: string, maxPerSecond: number) =>
  producer.run(sendBatch, {
    input: {
      batchId,
      templateId: 'news',
      segment: { filter: 'not (userId in ("shop", "root"))' },
      throttle: { maxPerSecond },
    },
  });
const lastArrival = async () =>
  Math.max(...(await trial.received('?channel=push')).map(({ at }) => Date.parse(at)));
async function queued(batchId: string): Promise<number> {
  const { rows } = await postgres.query<{ queued: number }>(
    `SELECT count(*)::int AS queued FROM campaigns c JOIN campaign_pages p USING (campaign_id) JOIN deliveries d USING (request_id)
     WHERE c.batch_id = $1 AND d.status = 'QUEUED'`,
    [batchId],
  );
  return rows[0]!.queued;
}

it('a campaign reaches everybody once, though its worker is killed again and again and Redis forgets everything', async () => {
  const { sendBatch: sent } = await send('killed', 100);
  expect(sent).toMatchObject({ campaign: { status: 'PENDING' }, userErrors: [] });
  for (const share of [0.1, 0.4, 0.7]) {
    await until(async () => (await progress('killed')).matched >= share * USERS, 30_000);
    await worker.kill('SIGKILL');
    if (share === 0.4) await forgetRedis();
    await worker.restart();
  }
  await until(async () => (await progress('killed')).status === 'COMPLETED', 60_000);
  expect(await progress('killed')).toMatchObject({ matched: USERS, queued: USERS, suppressed: 0 });
  const { rows } = await postgres.query<{ users: number; deliveries: number }>(
    'SELECT count(DISTINCT user_id)::int AS users, count(*)::int AS deliveries FROM deliveries',
  );
  expect(rows).toEqual([{ users: USERS, deliveries: USERS }]);
  await until(async () => {
    const { rows: open } = await postgres.query(`SELECT FROM deliveries WHERE status <> 'DELIVERED' LIMIT 1`);
    return open.length === 0;
  }, 60_000);
});

it('a pause and a cancellation take effect within two seconds: nothing arrives afterwards', async () => {
  await send('paused', 30);
  await until(async () => (await progress('paused')).matched > 10, 30_000);
  const paused = await control('paused', 'PAUSE');
  const pausedAt = Date.now();
  expect(paused).toMatchObject({ campaign: { status: 'PAUSED' }, userErrors: [] });
  await until(async () => (await queued('paused')) === 0);
  expect((await progress('paused')).matched).toBe(paused.campaign!.matched);
  expect(await lastArrival()).toBeLessThan(pausedAt + 2_000);

  await control('paused', 'RESUME');
  await until(async () => (await progress('paused')).matched > paused.campaign!.matched, 2_000);
  const cancelled = await control('paused', 'CANCEL');
  const cancelledAt = Date.now();
  await until(async () => (await queued('paused')) === 0);
  expect((await progress('paused')).matched).toBe(cancelled.campaign!.matched);
  expect(cancelled.campaign!.matched).toBeLessThan(USERS);
  expect(await lastArrival()).toBeLessThan(cancelledAt + 2_000);
});
