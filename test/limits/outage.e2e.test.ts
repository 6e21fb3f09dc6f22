import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';
import { ask, bearer, type LimitedWorld, type Sent, startLimitedWorld, statusesOf } from './limited-world.js';

const rules = `
domain: outage
descriptors:
  - key: user_id
    rate_limit: { requests_per_unit: 100000, unit: day }
  - key: endpoint
    value: Mutation.deposit
    rate_limit: { unlimited: true }
    fail: closed
`;

let counters: RedisProcess;
let world: LimitedWorld;
let authorization: string;
beforeAll(async () => {
  counters = await startRedisProcess();
  world = await startLimitedWorld(rules, { RATE_LIMIT_REDIS_URL: counters.url });
  authorization = await bearer('zoe');
});
afterAll(async () => {
  await world.close();
  await counters.stop();
});

const harmless = (): Promise<Sent> => ask(world.api, '{ __typename }', authorization);
const deposit = (): Promise<Sent> =>
  ask(
    world.api,
    'mutation { deposit(input: { accountId: "none", amount: "1.00" }) { userErrors { code } } }',
    authorization,
  );

const remaining = ({ headers }: Sent): number => Number(headers.get('x-ratelimit-remaining'));
const counted = async (): Promise<void> => {
  const first = remaining(await harmless());
  expect(remaining(await harmless())).toBe(first - 1);
};
const untilCounted = (): Promise<void> => vi.waitFor(counted, { timeout: 10_000, interval: 50 });

async function expectOutage(): Promise<void> {
  const open = await harmless();
  expect(open.status).toBe(200);
  expect(remaining(open)).toBe(100_000);
  const closed = await deposit();
  expect(closed.status).toBe(429);
  expect(closed.headers.get('retry-after')).toBe('60');
  expect(remaining(closed)).toBe(0);
  const secondsAhead = Number(closed.headers.get('x-ratelimit-reset')) - Date.now() / 1000;
  expect(Math.abs(secondsAhead - 60)).toBeLessThan(5);
}

it('with its counters frozen, the api goes on: open rules admit, closed ones refuse for a minute', async () => {
  await untilCounted();
  expect((await deposit()).status).toBe(200);
  counters.freeze();
  await expectOutage();
  expect(new Set(await statusesOf(50, harmless))).toEqual(new Set([200]));
  counters.thaw();
  await untilCounted();
  expect((await deposit()).status).toBe(200);
});

it('a frozen Redis costs many requests that are under way its timeout once, and later ones nothing', async () => {
  await untilCounted();
  counters.freeze();
  const together = await Promise.all(Array.from({ length: 40 }, harmless));
  expect(new Set(together.map(({ status }) => status))).toEqual(new Set([200]));
  const metrics = await (await fetch(`${world.api.url}/metrics`)).text();
  const timeouts = /^rate_limiter_redis_errors_total\{.*error_type="timeout".*\} (\d+)$/m.exec(metrics)?.[1];
  await statusesOf(50, harmless);
  const later = await (await fetch(`${world.api.url}/metrics`)).text();
  expect(/^rate_limiter_redis_errors_total\{.*error_type="timeout".*\} (\d+)$/m.exec(later)?.[1]).toBe(
    timeouts,
  );
  expect(later).toMatch(/^rate_limiter_redis_errors_total\{.*error_type="breaker_open".*\} [1-9]/m);
  counters.thaw();
  await untilCounted();
});

it('a Redis that was killed and comes back empty counts again by itself', async () => {
  await untilCounted();
  await counters.kill();
  await expectOutage();
  await counters.restart();
  await untilCounted();
  expect((await deposit()).status).toBe(200);
});

it('an api starts without its counters, and counts once they are there', async () => {
  await counters.kill();
  const other = await world.startAnother();
  const answer = await ask(other, '{ __typename }', authorization);
  expect(answer.status).toBe(200);
  expect(remaining(answer)).toBe(100_000);
  await counters.restart();
  await vi.waitFor(
    async () => expect(remaining(await ask(other, '{ __typename }', authorization))).toBeLessThan(100_000),
    {
      timeout: 10_000,
      interval: 50,
    },
  );
});
