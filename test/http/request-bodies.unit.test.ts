import type { RouteOptions } from 'fastify';
import { buildSchema } from 'graphql';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEdge, type Edge } from '../../src/edge/index.js';
import type { RestDocument } from '../../src/http/rest-document.js';
import { registerRoutes } from '../../src/http/routes.js';
import { createAuthenticator, type Role, signToken } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { depsOfNobody } from './deps-of-nobody.js';

const SECRET = 'a secret of thirty-two characters';

interface Route {
  readonly method: string;
  readonly url: string;
  readonly rest: RestDocument;
}

const withBody: Route[] = [];
let edge: Edge;

beforeAll(async () => {
  edge = await createEdge({
    schema: buildSchema('type Query { nothing: Int }'),
    authenticator: createAuthenticator({ secret: SECRET }, systemClock),
    createContext: (request) => request,
    logger: pino({ level: 'silent' }),
    allowedOrigins: [],
    development: true,
    readiness: {},
    metrics: new Registry(),
    clock: systemClock,
    ids: uuidV7Ids(systemClock),
    routes(fastify, openRequest) {
      fastify.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
        if (config?.rest?.body) withBody.push({ method: String(method), url, rest: config.rest });
      });
      return registerRoutes(fastify, { ...depsOfNobody('production'), openRequest });
    },
  });
  await edge.app.ready();
});
afterAll(() => edge?.close());

const names = (routes: readonly Route[]): string[] =>
  routes.map(({ method, url }) => `${method} ${url}`).sort();
const tokenOf = (roles: readonly Role[]) =>
  signToken(SECRET, { userId: 'ann', roles, plan: 'free', expiresInSeconds: 60 });

/** No JSON: whoever reads it finds that out. */
const send = ({ method, url }: Route, token?: string) =>
  edge.app.inject({
    method: method as 'POST',
    url: url.replaceAll(/:\w+/g, 'x'),
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    payload: '{',
  });

describe('a body', () => {
  it('of somebody without a token is not read, whatever the route', async () => {
    const closed = withBody.filter(({ rest }) => rest.access !== 'anyone');
    expect(names(closed)).toContain('POST /api/v1/notifications');
    for (const route of closed) {
      expect([route.url, (await send(route)).statusCode]).toEqual([route.url, 401]);
      expect([route.url, (await send(route, 'none')).statusCode]).toEqual([route.url, 401]);
    }
  });

  it('of a user is not read where only producers may send one', async () => {
    const ofProducers = withBody.filter(({ rest }) => rest.access === 'producer');
    expect(names(ofProducers)).toEqual(['POST /api/v1/notifications', 'POST /api/v1/notifications/batch']);
    for (const route of ofProducers) {
      expect((await send(route, await tokenOf(['user']))).statusCode).toBe(403);
      for (const role of ['producer', 'admin'] as const)
        expect((await send(route, await tokenOf([role]))).statusCode).toBe(400);
    }
  });

  it('that has a list without end costs no more than one whose list is a little too long', () => {
    // What providers send is signed, and taken apart once that is checked.
    const lists = withBody
      .filter(({ rest }) => rest.access !== 'anyone')
      .flatMap(({ url, rest }) =>
        rest.body?.schema
          ? listsIn(z.toJSONSchema(rest.body.schema, JSON_SCHEMA)).map((make) => ({ url, rest, make }))
          : [],
      );
    expect(lists.map(({ url }) => url).sort()).toEqual([
      '/api/orders',
      '/api/v1/notifications',
      '/api/v1/notifications',
      '/api/v1/notifications',
      '/api/v1/posts',
    ]);
    for (const { url, rest, make } of lists) {
      const read = rest.body!.schema!.safeParse(make(Array(20_000).fill(null)));
      expect([url, read.error!.issues.length < 1_100]).toEqual([url, true]);
    }
  });
});

const JSON_SCHEMA = { io: 'input', unrepresentable: 'any' } as const;

interface Part {
  readonly type?: string;
  readonly items?: Part;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly anyOf?: readonly Part[];
}

/** For each list that a body may have, what makes a body with this list in it. */
function listsIn(schema: unknown): ((list: readonly unknown[]) => unknown)[] {
  const { type, items, properties = {}, anyOf = [] } = schema as Part;
  return [
    ...(type === 'array' ? [(list: readonly unknown[]): unknown => list] : []),
    ...(items ? listsIn(items).map((make) => (list: readonly unknown[]) => [make(list)]) : []),
    ...Object.entries(properties).flatMap(([name, part]) =>
      listsIn(part).map((make) => (list: readonly unknown[]) => ({ [name]: make(list) })),
    ),
    ...anyOf.flatMap(listsIn),
  ];
}
