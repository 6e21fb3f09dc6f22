import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

const saveTemplate = graphql(`
  mutation SaveTemplate($input: SaveTemplateInput!) {
    saveTemplate(input: $input) { template { templateId isActive } userErrors { code path } }
  }
`);
const registerDevice = graphql(`
  mutation RegisterDevice($input: RegisterDeviceInput!) {
    registerDevice(input: $input) { device { deviceId } userErrors { code path } }
  }
`);
const saveAddresses = graphql(`
  mutation SaveAddresses($email: String, $phone: String) {
    updateNotificationSettings(input: { email: $email, phone: $phone }) { userErrors { code path } }
  }
`);
const send = graphql(`
  mutation Send($input: SendNotificationInput!) {
    sendNotification(input: $input) { status notificationsQueued suppressed { reason } userErrors { code path } }
  }
`);
const requestOf = graphql(`
  query RequestOf($notificationId: ID!) {
    notificationRequest(notificationId: $notificationId) {
      status
      deliveries { edges { node { deliveryId channel status timeline { event } } } }
    }
  }
`);
const statusOf = graphql(`
  subscription StatusOf($notificationId: ID!, $after: String) {
    notificationStatus(notificationId: $notificationId, after: $after) { cursor channel event status }
  }
`);

let database: TestDatabase;
let redis: TestRedis;
let trial: SandboxTrial;
let api: TestProcess;
let worker: TestProcess;
let producer: Client;

beforeAll(async () => {
  [database, redis, trial] = await Promise.all([createTestDatabase(), startTestRedis(), tryWithSandbox()]);
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  api = await startApi({ ...at, env: { ...trial.sandbox.environment } });
  worker = await startWorker({ ...at, env: { ...trial.sandbox.environment, BASE_URL: api.url } });
  trial.sandbox.setApiUrl(api.url);
  producer = await signIn(api.url, 'shop', ['user', 'producer']);
  const admin = await signIn(api.url, 'root', ['user', 'admin']);
  for (const [channel, text] of [
    ['PUSH', { title: 'Hello {{name}}' }],
    ['EMAIL', { subject: 'Hello {{name}}' }],
    ['SMS', {}],
  ] as const) {
    const template = {
      templateId: `hello.${channel}`,
      notificationType: 'NEW_MESSAGE',
      body: 'Hi {{name}}',
      channel,
    };
    await admin.run(saveTemplate, {
      input: { ...template, ...text, variables: { name: { type: 'string' } } },
    });
  }
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  await Promise.all([database?.drop(), redis?.stop(), trial?.close()]);
});

async function person(userId: string, platform: 'IOS' | 'ANDROID'): Promise<void> {
  const client = await signIn(api.url, userId);
  const deviceToken = Buffer.from(userId)
    .toString('hex')
    .padEnd(160, '0')
    .slice(0, platform === 'IOS' ? 64 : 160);
  await client.run(registerDevice, { input: { deviceId: 'phone', platform, deviceToken } });
  await client.run(saveAddresses, { email: `${userId}@example.com`, phone: '+15125550123' });
}

const notify = (notificationId: string, userId: string, channels: ('PUSH' | 'EMAIL' | 'SMS')[]) =>
  producer.run(send, {
    input: {
      notificationId,
      type: 'NEW_MESSAGE',
      priority: 'HIGH',
      templateId: 'hello.PUSH',
      recipients: [{ userId, channels, variables: { name: userId } }],
    },
  });

async function deliveriesOf(notificationId: string) {
  const { notificationRequest } = await producer.run(requestOf, { notificationId });
  return notificationRequest!.deliveries.edges.map((edge) => edge.node);
}

describe('a notification', () => {
  it.each(['IOS', 'ANDROID'] as const)(
    'reaches phone (%s), mailbox and SMS, and each says so step by step',
    async (on) => {
      const userId = `reader-${on.toLowerCase()}`;
      await person(userId, on);
      const { sendNotification } = await notify(`n-${on}`, userId, ['PUSH', 'EMAIL', 'SMS']);
      expect(sendNotification).toMatchObject({ status: 'accepted', notificationsQueued: 3, userErrors: [] });
      await expect
        .poll(async () => (await deliveriesOf(`n-${on}`)).map((delivery) => delivery.status), {
          timeout: 10_000,
        })
        .toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']);
      for (const { timeline } of await deliveriesOf(`n-${on}`)) {
        expect(timeline.map((entry) => entry.event)).toEqual([
          'CREATED',
          'VALIDATED',
          'PREFERENCE_CHECKED',
          'RENDERED',
          'QUEUED',
          'SENT',
          'DELIVERED',
        ]);
      }
      const received = (await trial.received()).filter((message) => message.notificationId === `n-${on}`);
      expect(received.map((message) => message.channel).sort()).toEqual(['email', 'push', 'sms']);
    },
  );

  it('is followed live, and a subscriber that was away gets exactly what it missed', async () => {
    await person('watched', 'IOS');
    await notify('n-watched', 'watched', ['PUSH']);
    const first = producer.subscribe(statusOf, { notificationId: 'n-watched' });
    const { value: created } = await first.next();
    await first.return();
    expect(created?.notificationStatus.event).toBe('CREATED');
    const rest = producer.subscribe(statusOf, {
      notificationId: 'n-watched',
      after: created!.notificationStatus.cursor,
    });
    const events: string[] = [];
    while (events.at(-1) !== 'DELIVERED') events.push((await rest.next()).value!.notificationStatus.event);
    await rest.return();
    expect(events).toEqual(['VALIDATED', 'PREFERENCE_CHECKED', 'RENDERED', 'QUEUED', 'SENT', 'DELIVERED']);
  });

  it('is never lost, though the worker is killed in the middle', async () => {
    const users = Array.from({ length: 40 }, (_, index) => `kept-${index}`);
    await Promise.all(users.map((userId) => person(userId, 'IOS')));
    await trial.misbehave({ channel: 'push', latencyMs: 30, rate: 1 });
    await Promise.all(users.map((userId) => notify(`n-${userId}`, userId, ['PUSH'])));
    await expect.poll(async () => (await trial.received('?channel=push')).length).toBeGreaterThan(5);
    await worker.kill('SIGKILL');
    await worker.restart();
    for (const userId of users) {
      await expect
        .poll(async () => (await deliveriesOf(`n-${userId}`))[0]!.status, { timeout: 40_000, interval: 200 })
        .toBe('DELIVERED');
    }
  }, 90_000);

  it('goes on within 8 s after a killed worker is back, and what came meanwhile follows it', async () => {
    await person('patient', 'IOS');
    await trial.misbehave({ channel: 'push', latencyMs: 4_000, times: 1 });
    await notify('n-first', 'patient', ['PUSH']);
    const postgres = openPostgres(database.url, {
      max: 1,
      applicationName: 'test',
      onError: () => undefined,
    });
    const isLeased = async () => {
      const { rows } = await postgres.query(
        `SELECT FROM deliveries JOIN pending_deliveries p USING (delivery_id)
         WHERE notification_id = 'n-first' AND p.lease_token IS NOT NULL`,
      );
      return rows.length === 1;
    };
    await expect.poll(isLeased, { timeout: 20_000, interval: 20 }).toBe(true);
    await worker.kill('SIGKILL');
    expect((await deliveriesOf('n-first'))[0]!.status).toBe('QUEUED');
    await postgres.close();
    await trial.reset();
    await notify('n-second', 'patient', ['PUSH']);
    await worker.restart();
    const ready = performance.now();
    for (const notificationId of ['n-first', 'n-second']) {
      await expect
        .poll(async () => (await deliveriesOf(notificationId))[0]!.status, { timeout: 10_000, interval: 50 })
        .toBe('DELIVERED');
      expect(performance.now() - ready).toBeLessThan(8_000);
    }
  });
});
