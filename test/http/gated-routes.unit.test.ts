import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { openGate } from '../../src/edge/gate/rate-limit-check.js';
import { createEdge, type Edge } from '../../src/edge/index.js';
import { registerRoutes } from '../../src/http/routes.js';
import { openWeb } from '../../src/http/web/index.js';
import { createAuthenticator } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { handMadeGate, rejected } from '../edge/hand-made-gate.js';
import { compiled } from '../limits/compiled.js';
import { depsOfNobody } from './deps-of-nobody.js';

/** All that passes no gate: probes, documents and pages, which are the same for everybody and read nothing. */
const DOCUMENTS = ['GET /docs/limits', 'GET /healthz', 'GET /metrics', 'GET /openapi.json', 'GET /readyz'];
const PAGES = [
  ...['', 'app', 'app/*', 'app/manifest.webmanifest', 'app/sw.js', 'assets/*', 'color-scheme.js', 'console'],
  ...[
    'app/icons/192.png',
    'app/icons/512.png',
    'app/icons/maskable-512.png',
    'console/*',
    'docs',
    'docs/*',
    'favicon.ico',
    'favicon.svg',
    'graphiql',
    'robots.txt',
    'web-config.json',
  ],
].map((path) => `GET /${path}`);
const OPEN = [...DOCUMENTS, ...PAGES].sort();

function wholeEdge(s3 = false, variables = {}, gate = openGate): Promise<Edge> {
  const deps = depsOfNobody('development', s3, variables);
  const web = openWeb({ config: deps.app.config, logger: { warn: () => undefined } });
  return createEdge({
    schema: buildSchema('type Query { nothing: Int }'),
    authenticator: createAuthenticator({ secret: 'a secret of thirty-two characters' }, systemClock),
    createContext: (request) => request,
    logger: pino({ level: 'silent' }),
    allowedOrigins: [],
    development: true,
    readiness: {},
    gate: () => gate,
    metrics: new Registry(),
    clock: systemClock,
    ids: uuidV7Ids(systemClock),
    routes: (fastify) => registerRoutes(fastify, { ...deps, web }),
  });
}

it('every route has its rate limits checked but those named here, and no operation of a client is among them', async () => {
  const edge = await wholeEdge();
  await edge.app.ready();
  expect([...edge.openRoutes].sort()).toEqual(OPEN);
  expect(OPEN.filter((route) => edge.endpoints.has(route))).toEqual([]);
  for (const route of ['GET /media/*', 'POST /graphql', 'POST /api/v1/media', 'POST /api/orders'])
    expect(edge.endpoints, route).toContain(route);
  await edge.close();
});

const document = (name: string): string =>
  readFileSync(new URL(`../../rules/${name}.yaml`, import.meta.url), 'utf8');

it('the guide to limits names every route without a rate-limit check', () => {
  const guide = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
  const named = /^An answer carries .*$/m.exec(guide)?.[0];
  for (const route of DOCUMENTS)
    expect(named).toContain(route === 'GET /docs/limits' ? 'this guide' : `\`${route.slice(4)}\``);
  expect(named).toContain('pages');
});

it.each(['default', 'start'])('%s.yaml takes media out of every limit that is not its own', (name) => {
  const rules = compiled(document(name));
  const callers = [null, ...rules.plans, 'unheard-of'].map((plan) => ({
    userId: plan && 'ann',
    plan,
    apiKeyId: plan && '00000000000000a1',
    network: '192.0.2.1',
  }));
  const heldFor = (endpoint: string) =>
    callers.map((caller) =>
      rules
        .match({ caller, endpoints: new Map([[endpoint, 1]]), queryCost: null, part: 'request' })
        .map(({ tier }) => tier.rule),
    );
  const onlyOwn = heldFor('GET /media/*').map((rulesOfOne) => rulesOfOne.join());
  expect(onlyOwn).toEqual(callers.map(() => 'endpoint=GET /media/*'));
  for (const rulesOfOne of heldFor('GET /api/feed'))
    expect(rulesOfOne).toEqual(expect.arrayContaining(['global']));
  // What is written for callbacks takes the place of the address' own limit.
  expect(heldFor('POST /api/v1/callbacks/twilio')[0]).toEqual([
    'remote_address/endpoint=POST /api/v1/callbacks/twilio',
  ]);
});

it.each(['default', 'start'])('under %s.yaml no single caller can fill what all share', (name) => {
  const rules = compiled(document(name));
  const own = [
    ...new Set([...document(name).matchAll(/value: "?((?:GET|POST) [^",} ]+)/g)].map(([, route]) => route!)),
  ];
  expect(own).toContain('POST /t/unsubscribe');
  for (const plan of [null, ...rules.plans, 'unheard-of']) {
    const caller = { userId: plan && 'ann', plan, apiKeyId: null, network: '192.0.2.1' };
    const perMinuteOf = (endpoint: string): { key: string; most: number }[] => {
      const uses = rules.match({
        caller,
        endpoints: new Map([[endpoint, 1]]),
        queryCost: null,
        part: 'request',
      });
      if (!uses.some(({ tier }) => tier.rule === 'global')) return [];
      const minutes = uses.filter(
        ({ tier }) => tier.rule !== 'global' && tier.windowSeconds <= 60 && tier.limit < Infinity,
      );
      const [least] = minutes
        .map(({ tier }) => ({ key: tier.rule, most: (tier.limit * 60) / tier.windowSeconds }))
        .toSorted((a, b) => a.most - b.most);
      return [least ?? { key: 'nothing', most: Infinity }];
    };
    // Those with one rule share its count.
    const counts = new Map(
      ['GET /api/feed', ...own].flatMap(perMinuteOf).map(({ key, most }) => [key, most]),
    );
    const total = [...counts.values()].reduce((sum, most) => sum + most, 0);
    expect(total).toBeLessThan(
      rules
        .match({ caller, endpoints: new Map([['GET /api/feed', 1]]), queryCost: null, part: 'request' })
        .find(({ tier }) => tier.rule === 'global')!.tier.limit,
    );
  }
});

it('with a host of their own the links in mails are what rules name, and have the limit that is meant for them', async () => {
  const gate = handMadeGate(() => rejected());
  const edge = await wholeEdge(false, { TRACK_URL: 'https://links.example.com' }, gate);
  await edge.app.ready();
  const named = ['GET /t/open', 'GET /t/click', 'POST /t/unsubscribe', 'GET /t/preferences'];
  for (const endpoint of named) expect(edge.endpoints).toContain(endpoint);
  expect(edge.endpoints).not.toContain('POST /unsubscribe');
  for (const endpoint of named) {
    const [method, path] = endpoint.split(' /t') as ['GET' | 'POST', string];
    expect((await edge.app.inject({ method, url: path })).statusCode).toBe(429);
  }
  expect(gate.decide.mock.calls.flatMap(([{ endpoints }]) => [...endpoints.keys()])).toEqual(named);
  await edge.close();
});

it('where files are in S3 the route is there all the same, so that no shipped rule is without one', async () => {
  const edge = await wholeEdge(true);
  expect(edge.endpoints).toContain('GET /media/*');
  const answer = await edge.app.inject({ url: `/media/images/${'0'.repeat(32)}/full.png` });
  expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND']);
  await edge.close();
});
