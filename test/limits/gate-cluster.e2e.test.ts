import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestCluster, type TestCluster } from '../support/redis-cluster.js';
import { itCounts } from './counted.js';
import { ask, bearer, type LimitedWorld, type Sent, startLimitedWorld } from './limited-world.js';

const rules = `
domain: cluster
descriptors:
  - key: global
    rate_limit: { requests_per_unit: 100000, unit: day }
    descriptors:
      - key: endpoint
        value: Query.feed
        rate_limit: { requests_per_unit: 1, unit: day }
  - key: user_id
    rate_limits:
      - { requests_per_unit: 1000, unit: day }
      - { requests_per_unit: 50, unit: hour }
  - key: endpoint
    value: Mutation.deposit
    rate_limit: { unlimited: true }
    fail: closed
`;

let cluster: TestCluster;
let world: LimitedWorld;
beforeAll(async () => {
  cluster = await startTestCluster();
  const env = { RATE_LIMIT_REDIS_URL: cluster.urls.join(','), RATE_LIMIT_TIMEOUT_MS: '50' };
  world = await startLimitedWorld(rules, env, { processes: 2 });
}, 120_000);
afterAll(async () => {
  await world?.close();
  await cluster?.stop();
});

const apis = () => world.apis;

const ownerKey = (userId: string): string => `tidings:limit:{u:${userId}}:`;

/** All that is kept of a user's counters. */
async function countersOf(userId: string): Promise<Record<string, string | null>> {
  const client = new Redis(cluster.urls[cluster.masterOf(ownerKey(userId))]!);
  const keys = (await client.keys(`${ownerKey(userId)}*`)).filter((key) => !key.endsWith(':probe'));
  const kept = await Promise.all(
    keys.map(async (key) => [key, (await client.getBuffer(key))?.toString('hex') ?? null]),
  );
  client.disconnect();
  return Object.fromEntries(kept);
}

/** Refunds leave after the answer. */
const settlesAt = (userId: string, counters: object): Promise<void> =>
  vi.waitFor(async () => expect(await countersOf(userId)).toEqual(counters), {
    timeout: 10_000,
    interval: 20,
  });

itCounts(
  'two processes at once admit exactly as many as the limit, whatever slots are charged',
  apis,
  async (strangers) => {
    const users = ['ann', 'bob', 'cid'].map(strangers.user);
    for (const userId of users) {
      const authorization = await bearer(userId);
      const sent = Array.from({ length: 80 }, (_, index) =>
        ask(apis()[index % 2]!, '{ __typename }', authorization),
      );
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(50);
      expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    }
  },
);

itCounts(
  'a refusal by a limit that all share leaves the caller’s own counters as they were',
  apis,
  async (strangers) => {
    const userId = strangers.user('innocent');
    const authorization = await bearer(userId);
    const feed = '{ feed(first: 1) { edges { cursor } } }';
    // Of all callers together, one a day.
    await ask(world.api, feed, await bearer(strangers.user('quick')));
    expect((await ask(world.api, '{ __typename }', authorization)).status).toBe(200);
    const before = await countersOf(userId);
    expect(Object.keys(before)).toHaveLength(1);
    for (const document of [feed, feed, `${feed} # nobody sent this to ${userId} before`]) {
      for (const api of apis()) {
        const refused = await ask(api, document, authorization);
        expect(refused.status).toBe(429);
        expect(refused.body.error.message).toContain('global/endpoint=Query.feed');
      }
      await settlesAt(userId, before);
    }
  },
);

const deposit = (comment: string): string =>
  `mutation { deposit(input: { accountId: "none", amount: "1.00" }) { userErrors { code } } } # ${comment}`;

it('with the master of what all share killed, what fails closed is refused and costs nothing, and all else goes on', async () => {
  const lost = cluster.masterOf('tidings:limit:{global}:');
  const userId = Array.from({ length: 100 }, (_, index) => `survivor-${index}`).find(
    (name) => cluster.masterOf(ownerKey(name)) !== lost,
  )!;
  const authorization = await bearer(userId);
  const harmless = (): Promise<Sent> => ask(world.api, '{ __typename }', authorization);
  // Somebody else finds out when the loss is felt: the refund settles after the answer.
  const scout = await bearer('scout');
  const seen = deposit('seen');
  await vi.waitFor(async () => expect((await ask(world.api, seen, scout)).status).toBe(200), 10_000);

  await cluster.kill(lost);
  await vi.waitFor(async () => expect((await ask(world.api, seen, scout)).status).toBe(429), 10_000);
  expect((await harmless()).status).toBe(200);
  const before = await countersOf(userId);
  expect(Object.keys(before)).toHaveLength(1);
  for (const document of [seen, seen, deposit('never seen'), deposit('nor this one')]) {
    const refused = await ask(world.api, document, authorization);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    await settlesAt(userId, before);
  }
  for (let time = 0; time < 10; time += 1) expect((await harmless()).status).toBe(200);
});
