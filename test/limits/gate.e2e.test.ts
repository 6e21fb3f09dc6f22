import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect } from 'vitest';
import { WebSocket } from 'ws';
import { itCounts } from './counted.js';
import {
  ask,
  bearer,
  type LimitedWorld,
  measured,
  send,
  startLimitedWorld,
  statusesOf,
} from './limited-world.js';

const rules = `
domain: gate
descriptors:
  - key: global
    rate_limit: { requests_per_unit: 100000, unit: day }
  - key: remote_address
    rate_limit: { requests_per_unit: 3, unit: day }
  - key: user_id
    rate_limits:
      - { requests_per_unit: 4, unit: day, soft_limit: 2 }
      - { requests_per_unit: 1000, unit: hour }
    descriptors:
      - key: plan
        value: pro
        rate_limit: { requests_per_unit: 8, unit: day }
      - key: plan
        value: roomy
        rate_limit: { requests_per_unit: 1000, unit: day }
  - key: endpoint
    value: Mutation.upsertProfile
    rate_limit: { requests_per_unit: 3, unit: day }
  - key: endpoint
    value: GET /api/orders/{order_id}
    rate_limit: { requests_per_unit: 2, unit: day }
  - key: endpoint
    value: POST /graphql
    rate_limit: { requests_per_unit: 1000, unit: day }
    descriptors:
      - key: user_id
        value: transporter-*
        rate_limit: { requests_per_unit: 3, unit: day }
  - key: endpoint
    value: login
    rate_limit: { requests_per_unit: 2, unit: day }
    fail: closed
  - key: query_cost
    rate_limit: { requests_per_unit: 1, unit: day, algorithm: token_bucket, burst: 100 }
`;

let world: LimitedWorld;
beforeAll(async () => {
  world = await startLimitedWorld(rules);
});
afterAll(() => world.close());

const apis = () => [world.api];
const from = (address: string) => ({ 'x-forwarded-for': address });

itCounts(
  'an anonymous caller is refused past his network’s limit, with the document’s headers and body, and others are not',
  apis,
  async (strangers) => {
    const one = () => send(world.api, 'GET /nowhere', from(strangers.address(1)));
    const first = await one();
    expect(first.status).toBe(404);
    expect(first.headers.get('x-ratelimit-limit')).toBe('3');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('2');
    expect(first.headers.get('x-ratelimit-policy')).toContain('3;w=86400');
    expect(first.headers.get('ratelimit')).toContain('r=2');
    expect(first.headers.get('ratelimit-policy')).toContain('q=3;w=86400');
    expect(await statusesOf(3, one)).toEqual([404, 404, 429]);

    const refused = await one();
    const reset = Number(refused.headers.get('x-ratelimit-reset'));
    const retryAfter = Number(refused.headers.get('retry-after'));
    const midnight = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400;
    expect(refused.headers.get('content-type')).toContain('application/json');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(reset).toBe(midnight);
    expect(Math.abs(Date.now() / 1000 + retryAfter - midnight)).toBeLessThan(5);
    expect(refused.body.error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      limit: 3,
      window: '1d',
      retry_after: retryAfter,
    });
    const documentation = await fetch(refused.body.error.documentation_url);
    expect(documentation.status).toBe(200);

    expect((await send(world.api, 'GET /nowhere', from(strangers.address(2)))).status).toBe(404);
  },
);

itCounts(
  'whatever a client writes to the left of the proxy’s own entry makes him nobody else',
  apis,
  async (strangers) => {
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const forged = { ...from(`203.0.113.${n}, ${strangers.address(9)}`), forwarded: `for=203.0.113.${n}` };
      statuses.push((await send(world.api, 'GET /nowhere', forged)).status);
    }
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
  },
);

itCounts('one IPv6 network is one caller, however many addresses it has', apis, async (strangers) => {
  const statuses: number[] = [];
  for (let n = 1; n < 6; n += 1)
    statuses.push(
      (await send(world.api, 'GET /nowhere', from(`2001:db8:${strangers.user('1').replace('-', ':')}::${n}`)))
        .status,
    );
  expect(statuses).toEqual([404, 404, 404, 429, 429]);
});

itCounts(
  'a signed-in user counts by himself, from whichever address; past the soft limit his answers are marked as degraded',
  apis,
  async (strangers) => {
    const authorization = await bearer(strangers.user('ann'));
    const answers = [];
    for (let n = 0; n < 5; n += 1)
      answers.push(await send(world.api, 'GET /nowhere', { authorization, ...from(`192.0.2.${n}`) }));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 429]);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-outcome'))).toEqual([
      null,
      null,
      'DEGRADE',
      'DEGRADE',
      null,
    ]);
  },
);

itCounts(
  'a plan’s rule takes the place of the default tier of the same window, and no other',
  apis,
  async (strangers) => {
    const authorization = await bearer(strangers.user('paula'), 'pro');
    const first = await send(world.api, 'GET /nowhere', { authorization });
    expect(first.headers.get('x-ratelimit-limit')).toBe('8');
    expect(first.headers.get('x-ratelimit-policy')).toContain('1000;w=3600');
    expect(await statusesOf(8, () => send(world.api, 'GET /nowhere', { authorization }))).toEqual([
      ...Array.from({ length: 7 }, () => 404),
      429,
    ]);
  },
);

itCounts(
  'each mention of a root field counts, under aliases too, and a refused operation leaves room for a smaller one',
  apis,
  async (strangers) => {
    const authorization = await bearer(strangers.user('aliaser'), 'roomy');
    const save = (alias: string) =>
      `${alias}: upsertProfile(input: { displayName: "A" }) { userErrors { code } }`;
    const two = await ask(world.api, `mutation { ${save('a')} ${save('b')} }`, authorization);
    expect(two.status).toBe(200);
    const twoMore = await ask(world.api, `mutation { ${save('c')} ${save('d')} }`, authorization);
    expect(twoMore.status).toBe(429);
    expect(twoMore.body.errors[0].extensions).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 3 });
    expect(twoMore.body.error.code).toBe('RATE_LIMIT_EXCEEDED');
    const one = await ask(world.api, `mutation { ${save('e')} }`, authorization);
    expect(one.status).toBe(200);
    expect((await ask(world.api, `mutation { ${save('f')} }`, authorization)).status).toBe(429);
    expect((await ask(world.api, '{ me { userId } }', authorization)).status).toBe(200);
  },
);

itCounts(
  'what takes more than the budget will ever hold is refused at once, and says so',
  apis,
  async (strangers) => {
    const authorization = await bearer(strangers.user('greedy'), 'roomy');
    const save = 'upsertProfile(input: { displayName: "A" }) { userErrors { code } }';
    const aliases = Array.from({ length: 4 }, (_, n) => `a${n}: ${save}`);
    const answer = await ask(world.api, `mutation { ${aliases.join(' ')} }`, authorization);
    expect(answer.status).toBe(429);
    expect(answer.body.error.message).toMatch(/never|ever/);
  },
);

itCounts('a REST path is one endpoint whatever its parameters', apis, async (strangers) => {
  const authorization = await bearer(strangers.user('rest'), 'roomy');
  const statuses: number[] = [];
  for (const id of ['a', 'b', 'c'])
    statuses.push((await send(world.api, `GET /api/orders/${id}`, { authorization })).status);
  expect(statuses).toEqual([404, 404, 429]);
});

itCounts(
  'wrong tokens are refused as such a few times, and then as too many; good ones from there pass',
  apis,
  async (strangers) => {
    const wrong = () =>
      send(world.api, 'GET /api/orders/a', {
        authorization: 'Bearer forged',
        ...from(strangers.address(77)),
      });
    expect(await statusesOf(3, wrong)).toEqual([401, 401, 429]);
    const authorization = await bearer(strangers.user('neighbour'), 'roomy');
    const good = await send(world.api, 'GET /nowhere', { authorization, ...from(strangers.address(77)) });
    expect(good.status).toBe(404);
  },
);

itCounts(
  'an operation says what it cost and what is left, gives back what it did not use, and is refused and counted past its budget',
  apis,
  async (strangers) => {
    const authorization = await bearer(strangers.user('budget'), 'roomy');
    const query = '{ feed(first: 10) { edges { node { postId } } } }';
    const first = await ask(world.api, query, authorization);
    const { cost } = first.body.extensions;
    expect(cost.requestedQueryCost).toBeGreaterThan(cost.actualQueryCost);
    expect(cost.throttleStatus).toMatchObject({ maximumAvailable: 100 });
    expect(cost.throttleStatus.currentlyAvailable).toBe(100 - cost.actualQueryCost);

    const rejections = () => measured(world.api, 'rate_limiter_requests_total', 'result="rejected"');
    const rejectedBefore = await rejections();
    const statuses = await statusesOf(60, () => ask(world.api, query, authorization));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const refused = statuses.filter((status) => status === 429).length;
    expect((await rejections()) - rejectedBefore).toBe(refused);
  },
);

itCounts('GET, POST and a socket’s operations share the rules of POST /graphql', apis, async (strangers) => {
  const authorization = await bearer(strangers.user('transporter'), 'roomy');
  const headers = { authorization, 'apollo-require-preflight': '1' };
  const get = () => send(world.api, 'GET /graphql?query=%7B__typename%7D', headers);
  const post = () => ask(world.api, '{ __typename }', authorization);
  const socket = createClient({
    url: `${world.api.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization },
    retryAttempts: 0,
  });
  const onSocket = async () => (await socket.iterate({ query: '{ __typename }' }).next()).value;

  expect((await get()).headers.get('x-ratelimit-remaining')).toBe('2');
  expect((await post()).headers.get('x-ratelimit-remaining')).toBe('1');
  expect(await onSocket()).toMatchObject({ data: { __typename: 'Query' } });

  expect((await get()).status).toBe(429);
  expect((await post()).status).toBe(429);
  await expect(onSocket()).rejects.toEqual([
    expect.objectContaining({
      extensions: expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', limit: 3 }),
    }),
  ]);
  await socket.dispose();
});

itCounts('an operation past a soft limit goes on, and its answer says so', apis, async (strangers) => {
  const authorization = await bearer(strangers.user('soft'));
  const answers = [];
  for (const alias of ['a', 'b', 'c', 'd'])
    answers.push(await ask(world.api, `{ ${alias}: __typename }`, authorization));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers.map(({ headers }) => headers.get('x-ratelimit-outcome'))).toEqual([
    null,
    null,
    'DEGRADE',
    'DEGRADE',
  ]);
});

itCounts('probes are never refused, and carry no limits', apis, async (strangers) => {
  const statuses = await statusesOf(10, () => send(world.api, 'GET /healthz', from(strangers.address(50))));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await send(world.api, 'GET /healthz')).headers.get('x-ratelimit-limit')).toBeNull();
});

itCounts('unreadable requests count as well', apis, async (strangers) => {
  const broken = async () => {
    const response = await fetch(`${world.api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...from(strangers.address(60)) },
      body: '{"query": ',
    });
    return response.status;
  };
  expect([await broken(), await broken(), await broken(), await broken()]).toEqual([400, 400, 400, 429]);
});
