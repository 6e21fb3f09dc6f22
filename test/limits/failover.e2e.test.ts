import { Redis } from 'ioredis';
import { afterEach, expect, it, vi } from 'vitest';
import { startMovingAddress } from '../support/moving-address.js';
import type { TestProcess } from '../support/processes.js';
import { startTestCluster } from '../support/redis-cluster.js';
import { startRedisProcess } from '../support/redis-process.js';
import { ask, bearer, type LimitedWorld, measured, startLimitedWorld } from './limited-world.js';

const LIMIT = 1_000_000;
const rules = `
domain: failover
descriptors:
  - key: user_id
    rate_limit: { requests_per_unit: ${LIMIT}, unit: day }
  - key: endpoint
    value: Mutation.deposit
    rate_limit: { unlimited: true }
    fail: closed
`;
const LONGEST_MS = 120_000;
const patient = { timeout: 30_000, interval: 20 };

let world: LimitedWorld;
const toClose: (() => unknown)[] = [];
afterEach(async () => {
  await world?.close();
  for (const close of toClose.splice(0)) await close();
});

/** Its counters are the first master's. */
const userId = 'zoe';

/** What a request met. */
interface Met {
  readonly document: 'harmless' | 'deposit';
  readonly status: number;
  /** Of the user's requests, as far as counted; the whole limit where it was not. */
  readonly remaining: number;
  readonly retryAfter: string | null;
}

const DOCUMENTS = {
  harmless: '{ __typename }',
  deposit: 'mutation { deposit(input: { accountId: "none", amount: "1.00" }) { userErrors { code } } }',
};
/** Requests under way at once. */
const AT_ONCE = 6;

/** Sends requests without a pause until `stop`, which hands out all that they met. A request that fails rejects it. */
function startLoad(api: TestProcess, authorization: string): { met: Met[]; stop(): Promise<Met[]> } {
  const met: Met[] = [];
  let isOver = false;
  async function work(document: Met['document']): Promise<void> {
    while (!isOver) {
      const { status, headers } = await ask(api, DOCUMENTS[document], authorization);
      const remaining = Number(headers.get('x-ratelimit-remaining'));
      met.push({ document, status, remaining, retryAfter: headers.get('retry-after') });
    }
  }
  const workers = Array.from({ length: AT_ONCE }, (_, index) => work(index % 2 ? 'deposit' : 'harmless'));
  const all = Promise.all(workers);
  all.catch(() => undefined);
  return {
    met,
    async stop() {
      isOver = true;
      await all;
      return met;
    },
  };
}

const openings = (api: TestProcess): number => api.output().match(/counters cannot be reached/g)?.length ?? 0;
const missed = async (api: TestProcess, type: string): Promise<number> =>
  measured(api, 'rate_limiter_redis_errors_total', `error_type="${type}"`);

const heldUp = async (api: TestProcess): Promise<number> =>
  (await missed(api, 'timeout')) + (await missed(api, 'connection'));

/** Loads a process while its counters fail over; afterwards all that was met is what was promised. */
async function expectNobodyHeldUp(failOver: () => Promise<void>): Promise<void> {
  const { api } = world;
  const authorization = await bearer(userId);
  const isCounted = async (): Promise<void> => {
    const { status, headers } = await ask(api, DOCUMENTS.harmless, authorization);
    expect(status).toBe(200);
    expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(LIMIT);
  };
  await vi.waitFor(isCounted, patient);

  const opened = openings(api);
  const heldBefore = await heldUp(api);
  const load = startLoad(api, authorization);
  const counted = ({ remaining }: Met) => remaining > 0 && remaining < LIMIT;
  const uncounted = (met: Met) => !counted(met);
  await vi.waitFor(() => expect(load.met.filter(counted).length).toBeGreaterThan(100), patient);
  const before = Math.min(...load.met.filter(counted).map(({ remaining }) => remaining));
  await failOver();
  await vi.waitFor(() => expect(load.met.filter(uncounted).length).toBeGreaterThan(100), patient);
  const outage = load.met.findLastIndex(uncounted);
  await vi.waitFor(() => expect(load.met.slice(outage).filter(counted).length).toBeGreaterThan(100), patient);
  const met = await load.stop();

  for (const { document, status, remaining, retryAfter } of met) {
    const admitted = status === 200 && retryAfter === null && remaining > 0;
    const refused = document === 'deposit' && status === 429 && retryAfter === '60' && remaining === 0;
    expect(admitted || refused, JSON.stringify({ document, status, remaining, retryAfter })).toBe(true);
  }
  expect(met.some(({ document, remaining }) => document === 'harmless' && remaining === LIMIT)).toBe(true);
  expect(met.some(({ document, status }) => document === 'deposit' && status === 429)).toBe(true);

  // Whoever was under way when the breaker opened has waited, at most; nobody who came while it was open.
  const held = (await heldUp(api)) - heldBefore;
  expect(openings(api)).toBeGreaterThan(opened);
  expect(held).toBeLessThanOrEqual((openings(api) - opened) * AT_ONCE);
  expect(await missed(api, 'breaker_open')).toBeGreaterThan(held);

  // What the replica had of the counter goes on: only the last moments' requests may be missing from it.
  for (const { remaining } of met.slice(outage).filter(counted))
    expect(remaining).toBeLessThan((LIMIT + before) / 2);
}

it(
  'requests go on, by their rules’ fail, while a master dies under load and its replica takes over; then they count again',
  async () => {
    const [master, replica] = await Promise.all([startRedisProcess(), startRedisProcess()]);
    const address = await startMovingAddress(master.port);
    const toReplica = new Redis(replica.url);
    toClose.push(() => toReplica.disconnect(), address.close, replica.stop, master.stop);
    await toReplica.replicaof('127.0.0.1', master.port);
    world = await startLimitedWorld(rules, {
      RATE_LIMIT_REDIS_URL: address.url,
      RATE_LIMIT_TIMEOUT_MS: '50',
    });
    await vi.waitFor(
      async () => expect(await toReplica.info('replication')).toContain('master_link_status:up'),
      patient,
    );
    await expectNobodyHeldUp(async () => {
      await master.kill();
      await vi.waitFor(
        async () => expect(await missed(world.api, 'breaker_open')).toBeGreaterThan(50),
        patient,
      );
      await toReplica.replicaof('NO', 'ONE');
      address.moveTo(replica.port);
    });
  },
  LONGEST_MS,
);

it(
  'so they do while the Cluster itself promotes the replica of a master that died',
  async () => {
    const cluster = await startTestCluster({ replicas: 1 });
    toClose.push(cluster.stop);
    expect(cluster.masterOf(`tidings:limit:{u:${userId}}:`)).toBe(0);
    world = await startLimitedWorld(rules, {
      RATE_LIMIT_REDIS_URL: cluster.urls.join(','),
      RATE_LIMIT_TIMEOUT_MS: '50',
    });
    await expectNobodyHeldUp(() => cluster.kill(0));
  },
  LONGEST_MS,
);
