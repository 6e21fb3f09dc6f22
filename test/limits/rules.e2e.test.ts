import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TestProcess } from '../support/processes.js';
import { ask, bearer, type LimitedWorld, measured, startLimitedWorld } from './limited-world.js';

const rulesWith = (requests: number) => `
domain: rules
descriptors:
  - key: user_id
    rate_limit: { requests_per_unit: ${requests}, unit: day }
`;

let world: LimitedWorld;
let other: TestProcess;
let admin: string;
beforeAll(async () => {
  world = await startLimitedWorld(rulesWith(1_000), {}, { processes: 2 });
  other = world.apis[1]!;
  admin = await bearer('root', 'free', ['admin']);
});
afterAll(() => world.close());

const PUT = `mutation Put($document: String!, $dryRun: Boolean) {
  putRateLimitRules(input: { document: $document, dryRun: $dryRun }) {
    ruleSet { domain version source document lastError warnings } userErrors { code message path } } }`;

const put = async (document: string, dryRun?: boolean) =>
  (await ask(world.api, PUT, admin, { document, dryRun })).body.data.putRateLimitRules;

const limitOf = async (api: TestProcess): Promise<number> =>
  Number((await ask(api, '{ __typename }', await bearer('somebody'))).headers.get('x-ratelimit-limit'));

it('a document that is put is in force on every process at once, and survives restarts', async () => {
  const answer = await put(rulesWith(2_000));
  expect(answer).toMatchObject({ userErrors: [], ruleSet: { domain: 'rules', lastError: null } });
  expect(await limitOf(world.api)).toBe(2_000);
  await vi.waitFor(async () => expect(await limitOf(other)).toBe(2_000), { timeout: 20_000, interval: 20 });
  await other.kill('SIGKILL');
  await other.restart();
  expect(await limitOf(other)).toBe(2_000);
});

it('a dry run says what it would be and changes nothing', async () => {
  const before = await limitOf(world.api);
  expect((await put(rulesWith(5), true)).userErrors).toEqual([]);
  expect(await limitOf(world.api)).toBe(before);
});

it('a rule for what does not exist is warned of by name, in a dry run and once it is in force', async () => {
  const misspelt = `${rulesWith(1_000)}
  - { key: endpoint, value: Query.fed, rate_limit: { requests_per_unit: 5, unit: minute } }
  - { key: endpoint, value: GET /healthz, rate_limit: { requests_per_unit: 5, unit: minute } }
`;
  const warnings = [
    "line 7, column 29: the rule 'endpoint=Query.fed' never holds: there is no such root field",
    "line 8, column 29: the rule 'endpoint=GET /healthz' never holds: there is no such route behind the gate",
  ];
  expect((await put(misspelt, true)).ruleSet).toMatchObject({ warnings });
  expect((await put(misspelt)).ruleSet).toMatchObject({ warnings });
  expect((await ask(world.api, '{ rateLimitRules { warnings } }', admin)).body.data).toEqual({
    rateLimitRules: { warnings },
  });
  expect((await put(rulesWith(1_000))).ruleSet).toMatchObject({ warnings: [] });
});

it('a slip in a rule that fails closed is refused, and what protects stays in force', async () => {
  const before = await limitOf(world.api);
  const slips = [
    'Mutation.placeOrdr',
    'POST /api/order',
    'POST /api/accounts/42/deposit',
    'Mutation.place*s',
  ];
  for (const slip of slips) {
    const document = `${rulesWith(7)}  - { key: endpoint, value: "${slip}", unlimited: true, fail: closed }\n`;
    const { ruleSet, userErrors } = await put(document);
    expect(ruleSet).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'RATE_LIMIT_RULES_INVALID' }]);
    expect(userErrors[0].message).toContain(slip);
  }
  expect(await limitOf(world.api)).toBe(before);
});

it('the rules of the product name only what exists', async () => {
  for (const name of ['default', 'start']) {
    const document = await readFile(new URL(`../../rules/${name}.yaml`, import.meta.url), 'utf8');
    expect(await put(document, true)).toMatchObject({ ruleSet: { warnings: [] }, userErrors: [] });
  }
});

it('a bad document is refused with the line and column of every fault, and the rules in force stay', async () => {
  const before = await limitOf(world.api);
  const { ruleSet, userErrors } = await put(
    'domain: rules\ndescriptors:\n  - key: user_id\n    rate_limit: { requests_per_unit: -1, unit: fortnight }\n',
  );
  expect(ruleSet).toBeNull();
  expect(userErrors).toHaveLength(2);
  for (const error of userErrors) {
    expect(error.code).toBe('RATE_LIMIT_RULES_INVALID');
    expect(error.message).toMatch(/^line 4, column \d+/);
    expect(error.path.slice(0, 4)).toEqual(['input', 'document', 'descriptors', '0']);
  }
  expect(await limitOf(world.api)).toBe(before);
});

it('an edited file is in force on every process at once; a bad edit keeps what was and says why', async () => {
  await writeFile(world.rulesFile, rulesWith(3_000));
  await Promise.all(
    [world.api, other].map((api) =>
      vi.waitFor(async () => expect(await limitOf(api)).toBe(3_000), { timeout: 20_000, interval: 20 }),
    ),
  );

  await writeFile(world.rulesFile, 'domain: [');
  const lastError = async () =>
    (await ask(world.api, '{ rateLimitRules { lastError source } }', admin)).body.data.rateLimitRules
      .lastError;
  await vi.waitFor(async () => expect(await lastError()).toContain('line 1'), { timeout: 20_000 });
  expect(await limitOf(world.api)).toBe(3_000);
  expect(await measured(world.api, 'rate_limiter_rules_stale')).toBe(1);

  await writeFile(world.rulesFile, rulesWith(4_000));
  const reload = await ask(
    world.api,
    'mutation { reloadRateLimitRules { ruleSet { version } userErrors { code } } }',
    admin,
  );
  expect(reload.body.data.reloadRateLimitRules.userErrors).toEqual([]);
  await vi.waitFor(async () => expect(await limitOf(other)).toBe(4_000), { timeout: 20_000 });
  expect(await lastError()).toBeNull();
});

it('on SIGHUP a process looks at its source at once, and no other process does', async () => {
  let document = rulesWith(10);
  let asked = 0;
  const source = createServer((_, response) => {
    asked += 1;
    response.end(document);
  }).listen(0, '127.0.0.1');
  await once(source, 'listening');
  const RATE_LIMIT_RULES = `http://127.0.0.1:${(source.address() as AddressInfo).port}/rules.yaml`;
  const remote = await startLimitedWorld('', { RATE_LIMIT_RULES }, { processes: 2 });
  // That a document behind a URL has changed is found only by polling, every 30 s: once at most in here.
  const signals = 4;
  const askedBefore = asked;
  for (let limit = 11; limit < 11 + signals; limit += 1) {
    document = rulesWith(limit);
    process.kill(remote.api.pid, 'SIGHUP');
    await vi.waitFor(async () => expect(await limitOf(remote.api)).toBe(limit), {
      timeout: 20_000,
      interval: 20,
    });
  }
  expect(asked - askedBefore).toBeGreaterThanOrEqual(signals);
  expect(asked - askedBefore).toBeLessThanOrEqual(signals + 2);
  await remote.close();
  source.close();
});

it('the history shows who put what, and only admins see and change rules', async () => {
  const history = await ask(
    world.api,
    '{ rateLimitRulesHistory(first: 5) { edges { node { version putBy putAt } } } }',
    admin,
  );
  expect(history.body.data.rateLimitRulesHistory.edges[0].node.putBy).toBe('root');
  const user = await bearer('nosy');
  const refused = await ask(world.api, PUT, user, { document: rulesWith(1) });
  expect(refused.body.errors[0].extensions.code).toBe('FORBIDDEN');
});

it('a preview shows every rule that would hold and its counters, and charges nothing', async () => {
  const user = await bearer('watched');
  await ask(world.api, '{ __typename }', user);
  const preview = () =>
    ask(
      world.api,
      `{ rateLimitPreview(descriptors: [{ key: "user_id", value: "watched" }]) {
           outcome allowed remaining violated tiers { rule name windowSeconds limit used remaining algorithm action fail shadow } } }`,
      admin,
    );
  await preview();
  const { rateLimitPreview } = (await preview()).body.data;
  expect(rateLimitPreview).toMatchObject({
    outcome: 'ALLOW',
    allowed: true,
    violated: null,
    tiers: [{ rule: 'user_id', name: 'per_day', windowSeconds: 86_400, used: 1, algorithm: 'FIXED_WINDOW' }],
  });
});

it('any user may read the state of their own limits', async () => {
  const { body } = await ask(
    world.api,
    '{ rateLimit { limit remaining resetAt cost tiers { rule remaining } } }',
    await bearer('curious'),
  );
  const { limit, remaining, cost } = body.data.rateLimit;
  expect(remaining).toBe(limit - 1);
  expect(cost).toBeGreaterThan(0);
});
