import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createEdge, type Edge } from '../../src/edge/index.js';
import { registerRoutes } from '../../src/http/routes.js';
import { openWeb } from '../../src/http/web/index.js';
import { createAuthenticator } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
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

function wholeEdge(s3 = false): Promise<Edge> {
  const deps = depsOfNobody('development', s3);
  const web = openWeb({ config: deps.app.config, logger: { warn: () => undefined } });
  return createEdge({
    schema: buildSchema('type Query { nothing: Int }'),
    authenticator: createAuthenticator({ secret: 'a secret of thirty-two characters' }, systemClock),
    createContext: (request) => request,
    logger: pino({ level: 'silent' }),
    allowedOrigins: [],
    development: true,
    readiness: {},
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

it('the guide to limits names every route without a rate-limit check', () => {
  const guide = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
  const named = /^An answer carries .*$/m.exec(guide)?.[0];
  for (const route of DOCUMENTS)
    expect(named).toContain(route === 'GET /docs/limits' ? 'this guide' : `\`${route.slice(4)}\``);
  expect(named).toContain('pages');
});

it.each(['default', 'start'])('%s.yaml takes media out of every limit that is not its own', (name) => {
  const rules = compiled(readFileSync(new URL(`../../rules/${name}.yaml`, import.meta.url), 'utf8'));
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
    'global',
  ]);
});

it('where files are in S3 the route is there all the same, so that no shipped rule is without one', async () => {
  const edge = await wholeEdge(true);
  expect(edge.endpoints).toContain('GET /media/*');
  const answer = await edge.app.inject({ url: `/media/images/${'0'.repeat(32)}/full.png` });
  expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND']);
  await edge.close();
});
