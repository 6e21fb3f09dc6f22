import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Role, signToken } from '../../src/platform/auth/auth.js';
import { createTestDatabase } from '../support/database.js';
import { startApi, type TestProcess, testAuthSecret } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

/** Api processes under rules of the test's own. */
export interface LimitedWorld {
  /** The first of `apis`. */
  readonly api: TestProcess;
  readonly apis: readonly [TestProcess, ...TestProcess[]];
  readonly databaseUrl: string;
  readonly redis: TestRedis;
  /** The file that they follow. */
  readonly rulesFile: string;
  /** Another process of the same fleet, with the same file. */
  startAnother(): Promise<TestProcess>;
  close(): Promise<void>;
}

/**
 * Starts everything anew for one test or file.
 *
 * @param options processes: how many, 1 unless given; they start side by side
 */
export async function startLimitedWorld(
  rules: string,
  env: Readonly<Record<string, string>> = {},
  { processes = 1 } = {},
): Promise<LimitedWorld> {
  const [database, redis, folder] = await Promise.all([
    createTestDatabase(),
    startTestRedis(),
    mkdtemp(path.join(tmpdir(), 'tidings-rules-')),
  ]);
  const rulesFile = path.join(folder, 'rules.yaml');
  await writeFile(rulesFile, rules);
  const started: TestProcess[] = [];
  async function startAnother(): Promise<TestProcess> {
    const api = await startApi({
      databaseUrl: database.url,
      redisUrl: redis.url,
      env: {
        RATE_LIMIT_RULES: rulesFile,
        TRUSTED_PROXIES: '127.0.0.1',
        ...env,
      },
    });
    started.push(api);
    return api;
  }
  const others = Array.from({ length: processes - 1 }, startAnother);
  const apis = await Promise.all([startAnother(), ...others]);
  return {
    api: apis[0],
    apis,
    databaseUrl: database.url,
    redis,
    rulesFile,
    startAnother,
    async close() {
      await Promise.all(started.map((api) => api.kill('SIGKILL')));
      await redis.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The `Authorization` header of a user. */
export async function bearer(userId: string, plan = 'free', roles: Role[] = ['user']): Promise<string> {
  return `Bearer ${await signToken(testAuthSecret, { userId, roles, plan, expiresInSeconds: 3_600 })}`;
}

export interface Sent {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  readonly body: any;
}

/** Sends one request and reads its JSON. */
export async function send(
  api: Pick<TestProcess, 'url'>,
  target: string,
  headers: Record<string, string> = {},
  body?: object,
): Promise<Sent> {
  const [method = 'GET', route = '/'] = target.split(' ');
  const response = await fetch(`${api.url}${route}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Posts a GraphQL document. */
export const ask = (
  api: Pick<TestProcess, 'url'>,
  query: string,
  authorization?: string,
  variables?: object,
): Promise<Sent> => send(api, 'POST /graphql', authorization ? { authorization } : {}, { query, variables });

/** Somebody new each time, whom no limit has met yet. */
const anAuditor = (): Promise<string> => bearer(`auditor-${randomUUID()}`, 'free', ['admin']);

/**
 * How much is used of every tier that a request would be held against, by `rule name`; it charges none of its owner's.
 * What all share is left out: others charge it at any time, this reading among them.
 */
export async function usesOf(
  api: Pick<TestProcess, 'url'>,
  descriptors: Readonly<Record<string, string>>,
): Promise<Record<string, number>> {
  const query = `query Uses($descriptors: [RateLimitDescriptorInput!]!) {
    rateLimitPreview(descriptors: $descriptors) { tiers { rule name used } } }`;
  const variables = { descriptors: Object.entries(descriptors).map(([key, value]) => ({ key, value })) };
  const { body } = await ask(api, query, await anAuditor(), variables);
  const tiers = body.data.rateLimitPreview.tiers as { rule: string; name: string; used: number }[];
  const own = tiers.filter(({ rule }) => !rule.startsWith('global'));
  return Object.fromEntries(own.map(({ rule, name, used }) => [`${rule} ${name}`, used]));
}

/** The sum of a metric's samples whose labels contain `having`. */
export async function measured(api: Pick<TestProcess, 'url'>, name: string, having = ''): Promise<number> {
  const text = await (await fetch(`${api.url}/metrics`)).text();
  const samples = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(having));
  return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

/** As many requests one after the other as `times`; their statuses. */
export async function statusesOf(times: number, one: () => Promise<Sent>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push((await one()).status);
  return statuses;
}
