import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signToken } from '../../src/platform/auth/auth.js';
import { startApi, type TestProcess, testAuthSecret } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { allowed } from './allowed.js';
import { loadData } from './load-data.js';
import { type Measured, measureAll, nameOf, operations } from './measure.js';
import { refusedQueries, unmeasured } from './operations.js';
import { type MeteredPostgres, SMALL_SCALE_PLANS, startMeteredPostgres } from './world.js';

/** Users at 1 × and at 16 ×. */
const SIZES = [500, 8_000] as const;
const RUNS = 3;
const RULES = fileURLToPath(new URL('../../rules/start.yaml', import.meta.url));

let postgres: MeteredPostgres;
const processes: TestProcess[] = [];
const servers: TestRedis[] = [];
const wrong: string[] = [];
let small: Measured;
let large: Measured;

const load = <Module>(path: string): Promise<Module> =>
  import(/* @vite-ignore */ new URL(`../../src/${path.replace(/\.js$/, '.ts')}`, import.meta.url).href);

const authorization = async (userId: string, roles: readonly ('user' | 'admin' | 'producer')[]) =>
  `Bearer ${await signToken(testAuthSecret, { userId, roles: [...roles], plan: 'free', expiresInSeconds: 3_600 })}`;

async function measureAt(users: number): Promise<Measured> {
  const databaseUrl = await postgres.create(`users_${users}`, SMALL_SCALE_PLANS);
  await loadData(databaseUrl, users, () => undefined);
  const redis = await startTestRedis();
  servers.push(redis);
  const api = await startApi({ databaseUrl, redisUrl: redis.url });
  processes.push(api);
  const environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    AUTH_SECRET: testAuthSecret,
    RATE_LIMIT_RULES: RULES,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
  };
  return measureAll(
    { databaseUrl, apiUrl: api.url, environment, authorization, load },
    RUNS,
    () => undefined,
    (name, why) => wrong.push(`${name} at ${users} users: ${why}`),
  );
}

beforeAll(async () => {
  postgres = await startMeteredPostgres(load);
  [small, large] = (await Promise.all(SIZES.map(measureAt))) as [Measured, Measured];
}, 600_000);

afterAll(async () => {
  await Promise.all(processes.map((one) => one.kill('SIGKILL')));
  await Promise.all(servers.map((one) => one.stop()));
  await postgres?.stop();
});

it('every operation and job that is measured does what it is measured for', () => {
  expect(wrong).toEqual([]);
});

it('no operation and no job touches more blocks with more data', () => {
  const grew = [...large].flatMap(([name, { blocks, heaviest }]) => {
    const before = small.get(name)?.blocks ?? Number.NaN;
    if (blocks <= allowed(name, before)) return [];
    return [
      `${name}: ${before} to ${blocks} blocks, most by ${heaviest[0]?.blocks}: ${heaviest[0]?.statement}`,
    ];
  });
  expect(grew).toEqual([]);
});

it.each(refusedQueries)(
  '$document is refused, and the refusal says how to narrow it',
  async ({ document, code, says }) => {
    const [api] = processes;
    const response = await fetch(`${api!.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: await authorization('admin', ['user', 'admin']),
      },
      body: JSON.stringify({ query: document }),
    });
    expect(await response.json()).toMatchObject({
      errors: [{ message: expect.stringMatching(says), extensions: { code } }],
    });
  },
);

it('every field of Query and Mutation is measured, or it is said why not', async () => {
  const schema = buildSchema(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'));
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type!.getFields()),
  );
  const asked = new Set(operations.map(({ field }) => field));
  expect(fields.filter((field) => !asked.has(field)).sort()).toEqual(Object.keys(unmeasured).sort());
});

it('names no operation twice', () => {
  expect(new Set(operations.map(nameOf)).size).toBe(operations.length);
});
