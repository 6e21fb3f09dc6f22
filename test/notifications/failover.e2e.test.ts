import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { startMailServer } from './mail-server.js';
import { type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

const saveMail = graphql(`
  mutation SaveMail($input: SaveTemplateInput!) {
    saveTemplate(input: $input) { template { templateId } userErrors { code path } }
  }
`);
const setEmail = graphql(`
  mutation SetEmail($email: String) {
    updateNotificationSettings(input: { email: $email }) { userErrors { code path } }
  }
`);
const sendMail = graphql(`
  mutation SendMail($input: SendNotificationInput!) {
    sendNotification(input: $input) { notificationsQueued userErrors { code message path } }
  }
`);
const mailOf = graphql(`
  query MailOf($notificationId: ID!) {
    notificationRequest(notificationId: $notificationId) {
      deliveries { nodes { status suppression timeline { event detail } } }
    }
  }
`);
const suppressionsOf = graphql(`
  query SuppressionsOf($address: String) {
    suppressions(address: $address) { nodes { id channel address cause note addedBy } }
  }
`);
const suppress = graphql(`
  mutation Suppress($input: AddSuppressionInput!) {
    addSuppression(input: $input) { suppression { id cause } userErrors { code path } }
  }
`);
const unsuppress = graphql(`
  mutation Unsuppress($input: RemoveSuppressionInput!) {
    removeSuppression(input: $input) { removed deletedId userErrors { code path } }
  }
`);
const nodeOf = graphql(`
  query SuppressionNode($id: ID!) { node(id: $id) { ... on AddressSuppression { address } } }
`);

let database: TestDatabase;
let redis: TestRedis;
let trial: SandboxTrial;
let server: Awaited<ReturnType<typeof startMailServer>>;
let api: TestProcess;
let worker: TestProcess;
let producer: Client;
let admin: Client;

beforeAll(async () => {
  [database, redis, trial, server] = await Promise.all([
    createTestDatabase(),
    startTestRedis(),
    tryWithSandbox(),
    startMailServer(),
  ]);
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  const env = {
    ...trial.sandbox.environment,
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    SMTP_FROM: 'news@tidings.example',
    EMAIL_PROVIDERS: 'sendgrid,smtp',
  };
  api = await startApi({ ...at, env });
  worker = await startWorker({ ...at, env: { ...env, BASE_URL: api.url } });
  trial.sandbox.setApiUrl(api.url);
  producer = await signIn(api.url, 'shop', ['user', 'producer']);
  admin = await signIn(api.url, 'root', ['user', 'admin']);
  await admin.run(saveMail, {
    input: {
      ...{ templateId: 'mail', notificationType: 'NEW_MESSAGE', channel: 'EMAIL' },
      ...{ subject: 'Hi', body: 'Hello' },
    },
  });
});
beforeEach(async () => {
  await trial.reset();
  server.reset();
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  await Promise.all([database?.drop(), redis?.stop(), trial?.close(), server?.close()]);
});

async function aReader(userId: string): Promise<string> {
  const email = `${userId}@example.com`;
  await (await signIn(api.url, userId)).run(setEmail, { email });
  return email;
}
const send = async (notificationId: string, userId: string) =>
  (
    await producer.run(sendMail, {
      input: {
        ...{ notificationId, type: 'NEW_MESSAGE', templateId: 'mail' },
        recipients: [{ userId, channels: ['EMAIL'] }],
      },
    })
  ).sendNotification;
const mail = async (notificationId: string) =>
  (await producer.run(mailOf, { notificationId })).notificationRequest?.deliveries.nodes[0];
const becomes = (notificationId: string, status: string) =>
  expect.poll(async () => (await mail(notificationId))?.status, { timeout: 30_000 }).toBe(status);
const bySendGrid = async (email: string) =>
  (await trial.received('?channel=email')).filter(({ to }) => to === email).length;

it('a mail that SendGrid does not take goes by SMTP, once, and the timeline says so', async () => {
  const email = await aReader('alice');
  await trial.misbehave({ channel: 'email', status: 503 });
  await send('down', 'alice');
  await becomes('down', 'DELIVERED');
  expect((await mail('down'))?.timeline.find(({ event }) => event === 'SENT')?.detail).toEqual({
    targets: 1,
    provider: 'smtp',
    asked_before: 'sendgrid: PROVIDER_DOWN',
  });
  expect(server.mails.map(({ to }) => to)).toEqual([[email]]);
  expect(await bySendGrid(email)).toBe(0);
});

it('a mail that SendGrid may have taken does not go by SMTP', async () => {
  const email = await aReader('bob');
  await trial.misbehave({ channel: 'email', drop: true, times: 1 });
  await send('maybe', 'bob');
  await becomes('maybe', 'DELIVERED');
  expect(server.reached).toEqual([]);
  // The one that was cut off, and its repeat.
  expect(await bySendGrid(email)).toBe(2);
  expect((await mail('maybe'))?.timeline.find(({ event }) => event === 'FAILED')?.detail).toMatchObject({
    provider: 'sendgrid',
    outcome_unknown: true,
  });
});

it('a worker that is killed between two providers leaves a mail that arrives once', async () => {
  const email = await aReader('carol');
  await trial.misbehave({ channel: 'email', status: 503 });
  server.makeTrouble('onRcptTo', 'hang');
  await send('killed', 'carol');
  await expect.poll(() => server.reached, { timeout: 20_000 }).toContain('onRcptTo');
  await worker.kill('SIGKILL');
  server.reset();
  await worker.restart();
  await becomes('killed', 'DELIVERED');
  expect(server.mails.map(({ to }) => to)).toEqual([[email]]);
  expect(await bySendGrid(email)).toBe(0);
});

it('a mail that bounces is the last to its address, until an admin removes it from the list', async () => {
  const email = await aReader('dave');
  await trial.misbehave({ channel: 'email', outcome: 'bounce' });
  await send('bounced', 'dave');
  await becomes('bounced', 'DEAD');
  const { suppressions } = await admin.run(suppressionsOf, { address: email.toUpperCase() });
  const [entry] = suppressions.nodes;
  expect(entry).toMatchObject({ channel: 'EMAIL', address: email, cause: 'HARD_BOUNCE', addedBy: null });
  expect((await admin.run(nodeOf, { id: entry!.id })).node).toEqual({ address: email });
  expect((await producer.run(nodeOf, { id: entry!.id })).node).toBeNull();
  await trial.behave();
  expect((await send('left-out', 'dave'))?.userErrors).toMatchObject([{ code: 'NOTHING_TO_SEND' }]);
  expect(await mail('left-out')).toMatchObject({ status: 'SUPPRESSED', suppression: 'ADDRESS_SUPPRESSED' });
  expect(await bySendGrid(email)).toBe(1);

  const note = 'a new mailbox';
  const input = { channel: 'EMAIL', address: email, note } as const;
  await expect(producer.run(unsuppress, { input })).rejects.toThrow();
  expect((await admin.run(unsuppress, { input })).removeSuppression).toEqual({
    removed: true,
    deletedId: entry!.id,
    userErrors: [],
  });
  await send('again', 'dave');
  await becomes('again', 'DELIVERED');
  expect((await admin.run(nodeOf, { id: entry!.id })).node).toBeNull();
});

it('a mail is left out where an admin added its address, and faults are answered with their path', async () => {
  const email = await aReader('erin');
  await expect(producer.run(suppress, { input: { channel: 'EMAIL', address: email } })).rejects.toThrow();
  const added = await admin.run(suppress, { input: { channel: 'EMAIL', address: email, note: 'asked' } });
  expect(added.addSuppression).toMatchObject({ suppression: { cause: 'MANUAL' }, userErrors: [] });
  expect((await send('manual', 'erin'))?.userErrors).toMatchObject([{ code: 'NOTHING_TO_SEND' }]);
  const push = await admin.run(suppress, { input: { channel: 'PUSH', address: 'token' } });
  expect(push.addSuppression).toEqual({
    suppression: null,
    userErrors: [{ code: 'CHANNEL_WITHOUT_ADDRESSES', path: ['input', 'channel'] }],
  });
});
