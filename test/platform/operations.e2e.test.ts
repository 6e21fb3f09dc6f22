import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HISTORY_KEY } from '../../src/operations-history.js';
import { COUNTS_KEY } from '../../src/platform/process-counts/store.js';
import { openRedis } from '../../src/platform/redis/redis.js';
import { type SandboxTrial, tryWithSandbox } from '../notifications/with-sandbox.js';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import type { OperationsOfAllSubscription } from '../support/generated/graphql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const operations = graphql(`
  subscription OperationsOfAll {
    operations {
      at processes isComplete queues { id name waiting } deliveriesPerSecond feedReadsPerSecond eventsPerSecond
      rateLimitedPerSecond projectorLagMs feedReadP99Ms highPriorityP99Ms
    }
  }
`);
const readFeed = graphql(`query ReadFeedForOperations { feed(first: 5) { edges { cursor } } }`);
const publish = graphql(`
  mutation PublishForOperations($content: String!) {
    publishPost(input: { content: $content }) { post { postId } userErrors { code } }
  }
`);
const saveText = graphql(`
  mutation SaveTextForOperations {
    saveTemplate(input: { templateId: "alert", notificationType: "SECURITY_ALERT", channel: PUSH, title: "T", body: "B", activate: true }) {
      userErrors { code }
    }
  }
`);
const register = graphql(`
  mutation RegisterForOperations($deviceToken: String!) {
    registerDevice(input: { deviceId: "phone", deviceToken: $deviceToken, platform: IOS }) { userErrors { code } }
  }
`);
const send = graphql(`
  mutation SendForOperations($recipients: [RecipientInput!]!) {
    sendNotification(input: { notificationId: "urgent", type: "SECURITY_ALERT", templateId: "alert", recipients: $recipients }) {
      notificationsQueued userErrors { code }
    }
  }
`);
const history = graphql(`
  query OperationsHistory { operationsHistory { at processes isComplete waitingJobs eventsPerSecond } }
`);
const limit = graphql(`
  mutation LimitForOperations($document: String!) { putRateLimitRules(input: { document: $document }) { userErrors { message } } }
`);

type Sample = OperationsOfAllSubscription['operations'];

let database: TestDatabase;
let redis: TestRedis;
let apis: TestProcess[];
let worker: TestProcess;
let providers: SandboxTrial;

beforeAll(async () => {
  [database, redis, providers] = await Promise.all([
    createTestDatabase(),
    startTestRedis(),
    tryWithSandbox(),
  ]);
  const { environment: env } = providers.sandbox;
  const at = { databaseUrl: database.url, redisUrl: redis.url, env };
  [worker, ...apis] = await Promise.all([startWorker(at), startApi(at), startApi(at)]);
});
afterAll(async () => {
  await Promise.all([worker, ...(apis ?? [])].map((process) => process?.kill('SIGKILL')));
  await Promise.all([database?.drop(), redis?.stop(), providers?.close()]);
});

/** Samples as they come. */
function follow(client: Client) {
  const samples: Sample[] = [];
  const updates = client.subscribe(operations, {});
  const ended = (async () => {
    for await (const { operations: sample } of updates) samples.push(sample);
  })();
  ended.catch(() => undefined);
  return {
    samples,
    /** The first sample from now on of which it holds. */
    async next(holds: (sample: Sample) => boolean): Promise<Sample> {
      const from = samples.length;
      return vi.waitFor(
        () => {
          const found = samples.slice(from).find(holds);
          if (!found) throw new Error(`none of ${JSON.stringify(samples.slice(from))}`);
          return found;
        },
        { timeout: 40_000, interval: 50 },
      );
    },
    async leave(): Promise<void> {
      await updates.return();
    },
  };
}

const admin = (index: number) => signIn(apis[index]!.url, 'root', ['user', 'admin']);
const areAll = ({ processes, isComplete }: Sample) => processes === 3 && isComplete;

it('samples add up what two apis and a worker do, at either api, and end with who follows them', async () => {
  const here = follow(await admin(0));
  const there = follow(await admin(1));
  await Promise.all([here.next(areAll), there.next(areAll)]);
  const first = here.samples.at(-1)!;
  expect(first.queues.map(({ name }) => name)).toContain('notifications.push.high');

  const readers = await Promise.all(apis.map((api) => signIn(api.url, 'reader')));
  const sum = ({ samples }: typeof here, figure: 'feedReadsPerSecond' | 'eventsPerSecond') =>
    samples.reduce((all, sample) => all + sample[figure], 0);
  const READS = 40;
  for (let n = 0; n < READS; n += 1) await Promise.all(readers.map((reader) => reader.run(readFeed, {})));
  const author = await signIn(apis[1]!.url, 'author');
  for (let n = 0; n < 5; n += 1) await author.run(publish, { content: `Post ${n} for the operations` });

  for (const followed of [here, there]) {
    // A sample is of about a second, so that the sum of rates is about the number; on a crowded machine a rate may count twice.
    await expect
      .poll(() => sum(followed, 'feedReadsPerSecond'), { timeout: 20_000 })
      .toBeGreaterThan(1.6 * READS);
    expect(sum(followed, 'feedReadsPerSecond')).toBeLessThan(4 * READS);
    await expect.poll(() => sum(followed, 'eventsPerSecond'), { timeout: 20_000 }).toBeGreaterThan(3);
    const busy = followed.samples.filter(({ feedReadsPerSecond }) => feedReadsPerSecond > 0);
    expect(busy.every(({ feedReadP99Ms }) => feedReadP99Ms > 0)).toBe(true);
  }
  await here.leave();
  const one = there.samples.length;
  await expect.poll(() => there.samples.length).toBeGreaterThan(one + 1);
  await there.leave();
  const direct = openRedis([redis.url], () => undefined);
  // Each contribution would prolong its life.
  await expect.poll(() => direct.exists(COUNTS_KEY), { timeout: 20_000, interval: 100 }).toBe(0);
  direct.disconnect();
});

it('samples have what the worker delivers, how long that takes, and what the apis refuse', async () => {
  const root = await admin(0);
  const followed = follow(root);
  await followed.next(areAll);
  const before = followed.samples.length;
  const sumOf = (figure: 'deliveriesPerSecond' | 'rateLimitedPerSecond') =>
    followed.samples.slice(before).reduce((all, sample) => all + sample[figure], 0);

  await root.run(saveText, {});
  const userIds = Array.from({ length: 20 }, (_, n) => `user-${n}`);
  for (const [n, userId] of userIds.entries()) {
    const deviceToken = `${n}`.padStart(64, '0');
    await (await signIn(apis[0]!.url, userId)).run(register, { deviceToken });
  }
  const recipients = userIds.map((userId) => ({ userId, channels: ['PUSH' as const] }));
  const { sendNotification } = await root.run(send, { recipients });
  expect(sendNotification).toMatchObject({ notificationsQueued: 20, userErrors: [] });
  await expect.poll(() => sumOf('deliveriesPerSecond'), { timeout: 20_000 }).toBeGreaterThan(16);
  expect(sumOf('deliveriesPerSecond')).toBeLessThan(44);
  const delivering = followed.samples.slice(before).filter((sample) => sample.deliveriesPerSecond > 0);
  expect(delivering.every(({ highPriorityP99Ms }) => highPriorityP99Ms > 0)).toBe(true);

  const document =
    '{ domain: test, descriptors: [{ key: user_id, value: limited, rate_limit: { requests_per_unit: 1, unit: hour } }] }';
  expect((await root.run(limit, { document })).putRateLimitRules.userErrors).toEqual([]);
  const limited = await Promise.all(apis.map((api) => signIn(api.url, 'limited')));
  const refused = [0, 0];
  const askAll = async (): Promise<number> => {
    await Promise.all(
      limited.map(async (client, index) => {
        if ((await client.ask(readFeed, {})).status === 429) refused[index]! += 1;
      }),
    );
    return Math.min(...refused);
  };
  // An api may have the new rules a moment later than the other.
  await expect.poll(askAll, { timeout: 20_000, interval: 20 }).toBeGreaterThan(10);
  const all = refused[0]! + refused[1]!;
  await expect.poll(() => sumOf('rateLimitedPerSecond'), { timeout: 20_000 }).toBeGreaterThan(0.8 * all);
  expect(sumOf('rateLimitedPerSecond')).toBeLessThan(2.2 * all);
  await followed.leave();
});

it('is for admins', async () => {
  for (const roles of [['user'], ['user', 'producer']] as const) {
    const somebody = await signIn(apis[0]!.url, 'somebody', [...roles]);
    const refusal: unknown = await somebody
      .subscribe(operations, {})
      .next()
      .catch((error: unknown) => error);
    expect(`${String(refusal)} ${JSON.stringify(refusal)}`).toContain('FORBIDDEN');
  }
});

it('samples go on without an api that is killed, and while Redis does not answer', async () => {
  const followed = follow(await admin(0));
  await followed.next(areAll);
  await apis[1]!.kill('SIGKILL');
  await followed.next(({ processes, isComplete }) => processes === 2 && isComplete);
  await apis[1]!.restart();
  await followed.next(areAll);

  const direct = openRedis([redis.url], () => undefined);
  // Every client waits, whatever it asks.
  const paused = direct.call('CLIENT', 'PAUSE', '4000', 'ALL');
  const alone = await followed.next(({ isComplete }) => !isComplete);
  expect([alone.queues, alone.processes > 0]).toEqual([[], true]);
  await paused.catch(() => undefined);
  await followed.next(areAll);
  direct.disconnect();
  await followed.leave();
}, 180_000);

it('admins see samples of the last minutes, one each ten seconds, which a lost Redis begins anew', async () => {
  const root = await admin(0);
  const points = async () => (await root.run(history, {})).operationsHistory ?? [];
  const timesOf = async () => (await points()).map(({ at }) => Date.parse(String(at)));
  await expect.poll(async () => (await points()).length, { timeout: 60_000 }).toBeGreaterThan(1);
  const times = await timesOf();
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(5_000);
  expect((await points()).some(({ isComplete, processes }) => isComplete && processes >= 2)).toBe(true);

  const direct = openRedis([redis.url], () => undefined);
  const newest = times.at(-1)!;
  await direct.lpush(HISTORY_KEY, 'no sample', JSON.stringify({ at: newest }));
  expect(await timesOf()).toContain(newest);
  await direct.del(HISTORY_KEY);
  await expect.poll(async () => (await timesOf()).length, { timeout: 60_000 }).toBeGreaterThan(0);
  expect((await timesOf())[0]).toBeGreaterThan(newest);
  for (let n = 0; n < 100; n += 1) await direct.lpush(HISTORY_KEY, 'no sample');
  await expect.poll(() => direct.llen(HISTORY_KEY), { timeout: 60_000 }).toBe(90);
  direct.disconnect();

  const { errors } = await (await signIn(apis[0]!.url, 'somebody')).ask(history, {});
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
}, 240_000);
