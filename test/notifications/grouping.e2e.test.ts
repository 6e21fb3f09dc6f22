import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { signToken } from '../../src/platform/auth/auth.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, startWorker, type TestProcess, testAuthSecret } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

let database: TestDatabase;
let redis: TestRedis;
let trial: SandboxTrial;
let api: TestProcess;
let worker: TestProcess;

beforeAll(async () => {
  [database, redis, trial] = await Promise.all([createTestDatabase(), startTestRedis(), tryWithSandbox()]);
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  const env = { ...trial.sandbox.environment };
  [api, worker] = await Promise.all([startApi({ ...at, env }), startWorker({ ...at, env })]);
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  await Promise.all([database?.drop(), redis?.stop(), trial?.close()]);
});

type Role = 'user' | 'admin' | 'producer';
const tokenOf = (userId: string, role: Role) =>
  signToken(testAuthSecret, { userId, roles: ['user', role], plan: 'free', expiresInSeconds: 600 });

async function post(path: string, userId: string, role: Role, body: object) {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${await tokenOf(userId, role)}`,
  };
  return fetch(`${api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}
// biome-ignore lint/suspicious/noExplicitAny: what a query answers is what the test asked for
async function ask(userId: string, query: string, role: Role = 'user'): Promise<any> {
  const { data, errors } = (await (await post('/graphql', userId, role, { query })).json()) as {
    data: object;
    errors?: unknown;
  };
  expect(errors).toBeUndefined();
  return data;
}
const inbox = async (userId: string) =>
  (await ask(userId, '{ inbox { unreadCount nodes { itemId title body actorCount readAt } } }')).inbox;
const arrived = async (token: string, count: number) =>
  vi.waitFor(
    async () => {
      const pushes = await trial.received(`?channel=push&to=${token}`);
      expect(pushes).toHaveLength(count);
      return pushes;
    },
    { timeout: 30_000, interval: 100 },
  );

it('two reactions are one item of the inbox and two pushes of which the second replaces the first, though the worker is killed', async () => {
  for (const channel of ['PUSH', 'IN_APP'])
    await ask(
      'root',
      `mutation { saveTemplate(input: { notificationType: "POST_LIKED", channel: ${channel},
        title: "{{actors}}", body: "{{count}}: {{excerpt}}" }) { userErrors { code path } } }`,
      'admin',
    );
  const token = 'ab'.repeat(32);
  const { publishPost } = await ask(
    'ann',
    `mutation {
      registerDevice(input: { deviceId: "phone", platform: IOS, deviceToken: "${token}" }) { userErrors { code } }
      publishPost(input: { content: "My garden" }) { post { postId } }
    }`,
  );
  const like = (userId: string) =>
    ask(
      userId,
      `mutation { likePost(input: { postId: "${publishPost.post.postId}" }) { userErrors { code } } }`,
    );
  await like('ben');
  const [first] = await arrived(token, 1);
  await vi.waitFor(async () => expect((await inbox('ann')).nodes).toMatchObject([{ actorCount: 1 }]), {
    timeout: 30_000,
    interval: 100,
  });
  const before = await inbox('ann');
  await ask('ann', 'mutation { markInbox(input: { action: READ }) { unreadCount } }');

  await worker.kill('SIGKILL');
  await like('cat');
  await worker.restart();
  const [, second] = await arrived(token, 2);
  const after = await vi.waitFor(
    async () => {
      const now = await inbox('ann');
      expect(now.nodes).toMatchObject([{ actorCount: 2, body: '2: My garden', readAt: null }]);
      return now;
    },
    { timeout: 30_000, interval: 100 },
  );
  expect(after.unreadCount).toBe(1);
  expect(after.nodes[0].itemId).toBe(before.nodes[0].itemId);
  expect(after.nodes[0].title).toBe('cat and 1 other');
  expect(first!.headers['apns-collapse-id']).toBe(after.nodes[0].itemId);
  expect(second!.headers['apns-collapse-id']).toBe(after.nodes[0].itemId);
  expect(second!.body).toMatchObject({ aps: { alert: { title: 'cat and 1 other', body: '2: My garden' } } });
  expect(second!.body).not.toHaveProperty('aps.sound');
}, 120_000);

it('producers say over REST what a notification is about, and learn what is wrong with it', async () => {
  const send = async (notificationId: string, group: object, more: object = {}) => {
    const answer = await post('/api/v1/notifications', 'shop', 'producer', {
      notification_id: notificationId,
      type: 'POST_LIKED',
      template_id: (await ask('root', '{ templates(first: 1) { nodes { templateId } } }', 'admin')).templates
        .nodes[0].templateId,
      recipients: [{ user_id: 'eve', channels: ['in_app'], variables: { excerpt: 'x' } }],
      group,
      ...more,
    });
    return {
      status: answer.status,
      body: (await answer.json()) as { error?: { code: string; path: string[] } },
    };
  };
  const member = (name: string) => ({ key: 'post-1', actor_id: name.toLowerCase(), actor_name: name });
  expect(await send('one', member('Ann'))).toMatchObject({ status: 202 });
  expect(await send('two', member('Ben'))).toMatchObject({ status: 202 });
  expect(await send('two', member('Cat'))).toMatchObject({ status: 409 });
  await vi.waitFor(
    async () =>
      expect((await inbox('eve')).nodes).toMatchObject([{ title: 'Ben and 1 other', actorCount: 2 }]),
    { timeout: 30_000, interval: 100 },
  );
  const later = { schedule_at: new Date(Date.now() + 60_000).toISOString() };
  expect(await send('three', member('Dan'), later)).toMatchObject({
    status: 400,
    body: { error: { code: 'GROUP_INVALID', path: ['group'] } },
  });
  expect(await send('four', { ...member('Dan'), actor_name: '' })).toMatchObject({
    status: 400,
    body: { error: { code: 'GROUP_INVALID', path: ['group', 'actor_name'] } },
  });
}, 60_000);
