import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { signToken } from '../../src/platform/auth/auth.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { garbage, replaceKey } from '../support/garbage.js';
import { startApi, startWorker, type TestProcess, testAuthSecret } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

/**
 * Every key that the product writes, but for ids. One that is not here fails the test: whoever adds it makes sure that
 * `exercise` meets it, and that garbage there is as good as nothing.
 */
const KNOWN = [
  /^tidings:(events|wake-ups.*|cache-lease.*|pulled-authors|feed-online|alert-observations|notifications:lifecycle|operations-history|process-counts.*)$/,
  /^tidings:\{f\d+\}:(feed|outbox)(-recent|-building)?:[^:]+$/,
  /^tidings:(post|author|sponsored|read-marker):[^:]+:[^:]+$/,
  /^tidings:\{counts\}:[^:]+$/,
  /^tidings:\{relations:[^}]+\}:(generation|edges)$/,
  /^tidings:feed:affinities:[^:]+$/,
  /^tidings:feed:signal:\[.*\]$/,
  /^tidings:\{near-limits\}:(utilisation|entries)$/,
  /^tidings:limit:\{.*\}:.*$/,
  /^tidings:quota:\{u:[^}]+\}:.*$/,
  /^\{tidings:[a-z_.-]+\}:.*$/,
];

let database: TestDatabase;
let server: TestRedis;
let redis: Redis;
let api: TestProcess;
let worker: TestProcess;
const tokens = new Map<string, string>();

beforeAll(async () => {
  [database, server] = await Promise.all([createTestDatabase(), startTestRedis()]);
  redis = openRedis([server.url], () => undefined);
  const at = { databaseUrl: database.url, redisUrl: server.url };
  [api, worker] = await Promise.all([startApi(at), startWorker(at)]);
  for (const userId of ['ann', 'ben', 'root']) {
    const roles = userId === 'root' ? (['user', 'admin', 'producer'] as const) : (['user'] as const);
    const who = { userId, roles: [...roles], plan: 'free', expiresInSeconds: 3_600 };
    tokens.set(userId, await signToken(testAuthSecret, who));
    await ask(userId, '{ me { userId } }');
  }
  await ask('ann', 'mutation { followUser(input: {userId: "ben"}) { userErrors { code } } }');
  await ask(
    'root',
    `mutation { saveTemplate(input: {notificationType: "NEWS", channel: IN_APP, language: "en", title: "Hi", body: "Hello", activate: true}) { template { templateId } userErrors { code } } }`,
  );
  for (const accountId of ['from', 'to'])
    await ask(
      'ann',
      `mutation { createAccount(input: {accountId: "${accountId}"}) { userErrors { code } } }`,
    );
  await ask(
    'ann',
    'mutation { deposit(input: {accountId: "from", amount: "1000.00"}) { userErrors { code } } }',
  );
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  redis?.disconnect();
  await Promise.all([database?.drop(), server?.stop()]);
});

/** Answers that were internal errors. */
const internalErrors: string[] = [];

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
async function ask(userId: string, query: string): Promise<any> {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.get(userId)}` },
    body: JSON.stringify({ query }),
  });
  const answer = (await response.json()) as { data?: unknown; errors?: unknown };
  const text = JSON.stringify(answer);
  if (text.includes('INTERNAL_ERROR')) internalErrors.push(`${query}: ${text}`);
  if (answer.errors) throw new Error(`${query}: ${text}`);
  return answer.data;
}

const until = <T>(check: () => Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 40_000, interval: 100 });

let templateId = '';

/** Uses everything that Redis has a part in, and looks whether it is right. */
async function exercise(): Promise<void> {
  const content = `post ${randomUUID()}`;
  const { publishPost } = await ask(
    'ben',
    `mutation { publishPost(input: {content: "${content}"}) { post { postId } } }`,
  );
  const { postId } = publishPost.post;
  await ask('root', `mutation { sponsorPost(input: {postId: "${postId}"}) { userErrors { code } } }`);
  await ask('ann', `mutation { likePost(input: {postId: "${postId}"}) { userErrors { code } } }`);
  await ask(
    'ann',
    `mutation { recordSignals(input: {signals: [{kind: CLICK, postId: "${postId}"}]}) { userErrors { code } } }`,
  );
  await until(async () => {
    for (const order of ['LATEST', 'RANKED']) {
      const { feed } = await ask(
        'ann',
        `{ feed(first: 20, order: ${order}) { edges { cursor node { postId content likeCount author { userId } } } } }`,
      );
      const edge = feed.edges.find((one: { node: { postId: string } }) => one.node.postId === postId);
      expect(edge?.node).toMatchObject({ content, likeCount: 1, author: { userId: 'ben' } });
      if (order === 'LATEST')
        await ask(
          'ann',
          `mutation { markFeedRead(input: {cursor: "${edge.cursor}"}) { userErrors { code } } }`,
        );
    }
    await ask('ann', '{ feed(first: 1) { readMarker newerThanReadMarker } }');
  });
  templateId ||= (await ask('root', '{ templates(first: 1) { edges { node { templateId } } } }')).templates
    .edges[0].node.templateId;
  const notificationId = randomUUID();
  await ask(
    'root',
    `mutation { sendNotification(input: {notificationId: "${notificationId}", type: "NEWS", priority: HIGH, templateId: "${templateId}", recipients: [{userId: "ann", channels: [IN_APP]}]}) { userErrors { code } } }`,
  );
  await until(async () => {
    const { notificationRequest } = await ask(
      'root',
      `{ notificationRequest(notificationId: "${notificationId}") { deliveries { edges { node { status } } } } }`,
    );
    expect(notificationRequest.deliveries.edges).toMatchObject([{ node: { status: 'SENT' } }]);
  });
  const { transferMoney } = await ask(
    'ann',
    'mutation { transferMoney(input: {fromAccountId: "from", toAccountId: "to", amount: "0.01"}) { aggregateId userErrors { code } } }',
  );
  await until(async () => {
    const { transfer } = await ask(
      'ann',
      `{ transfer(transferId: "${transferMoney.aggregateId}") { status } }`,
    );
    expect(transfer).toMatchObject({ status: 'COMPLETED' });
  });
  await ask('root', '{ rateLimitTopCallers { caller } alerts { name } queues { name } }');
}

async function allKeys(): Promise<string[]> {
  const keys: string[] = [];
  for (let cursor = '0', first = true; first || cursor !== '0'; first = false) {
    const [next, some] = await redis.scan(cursor, 'COUNT', 1_000);
    cursor = next;
    keys.push(...some);
  }
  return [...new Set(keys)];
}

/** Half of what stands there, of the same type. */
async function truncate(key: string): Promise<void> {
  if ((await redis.type(key)) !== 'string') return;
  const value = await redis.getBuffer(key);
  if (value) await redis.set(key, value.subarray(0, Math.floor(value.length / 2)));
}

const kinds: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
  'a truncated value': truncate,
  ...Object.fromEntries(
    Object.entries(garbage).map(([name, write]) => [
      name,
      (key: string) => replaceKey(redis, key, (scratchKey) => write(redis, scratchKey)),
    ]),
  ),
};

it('every key is known', async () => {
  await exercise();
  const unknown = (await allKeys()).filter((key) => !KNOWN.some((pattern) => pattern.test(key)));
  expect(unknown).toEqual([]);
});

it.each(Object.keys(kinds))(
  'everything works again where every key holds %s',
  async (kind) => {
    await exercise();
    for (const key of await allKeys()) await kinds[kind]!(key).catch(() => undefined);
    await until(exercise);
    const ended = [api, worker].filter(({ pid }) => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    });
    expect(ended).toEqual([]);
    expect(internalErrors).toEqual([]);
    const text = await (await fetch(`${worker.url}/metrics`)).text();
    expect(text).not.toMatch(/^projector_stalled\{.*\} 1$/m);
  },
  300_000,
);
