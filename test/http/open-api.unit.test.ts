import { gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerRoutes } from '../../src/http/routes.js';
import { depsOfNobody } from './deps-of-nobody.js';

/** Documents and pages: nothing that a client of the REST part calls. */
const UNDOCUMENTED = /^(GET|OPTIONS) \/(docs\/|openapi\.json$)/;

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly description?: string;
  }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const registered: string[] = [];
let app: FastifyInstance;
let document: Document;

/** Nothing is asked for here, so nothing of the product is there to answer. */
async function withRoutes(page: boolean): Promise<FastifyInstance> {
  const fastify = Fastify();
  fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
    registered.push(...[method].flat().map((verb) => `${verb} ${url}`));
  });
  await registerRoutes(fastify, depsOfNobody(page ? 'development' : 'production'));
  await fastify.ready();
  return fastify;
}

beforeAll(async () => {
  app = await withRoutes(true);
  const answer = await app.inject({ url: '/openapi.json' });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  document = answer.json();
});
afterAll(() => app?.close());

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

describe('/openapi.json', () => {
  it('is a valid document of OpenAPI 3.1', async () => {
    const checked = await new Validator().validate({ ...document });
    expect(checked.errors).toBeUndefined();
    expect(document.openapi).toBe('3.1.1');
  });

  it.each(['/openapi.json', '/docs/limits'])(
    '%s is compressed once, and not sent to whoever has it',
    async (url) => {
      const ask = (headers: Record<string, string>) => app.inject({ url, headers });
      const plain = await ask({});
      const { etag } = plain.headers;
      expect(plain.headers).toMatchObject({
        etag: expect.any(String),
        'cache-control': 'public, max-age=300',
      });
      expect(plain.headers['content-encoding']).toBeUndefined();
      for (const accepted of ['gzip', 'br, gzip;q=0.5', 'deflate,gzip']) {
        const small = await ask({ 'accept-encoding': accepted });
        expect(small.headers).toMatchObject({ etag, 'content-encoding': 'gzip' });
        expect(gunzipSync(small.rawPayload).toString()).toBe(plain.body);
      }
      expect((await ask({ 'accept-encoding': 'br, gzip;q=0' })).body).toBe(plain.body);
      for (const known of [String(etag), `"x", ${etag}`, String(etag).slice(2), '*']) {
        const same = await ask({ 'if-none-match': known });
        expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', etag]);
      }
      expect((await ask({ 'if-none-match': '"x"' })).statusCode).toBe(200);
    },
  );

  it('stands beside a guide that links to nothing of the checkout, and names it', async () => {
    const { body } = await app.inject('/docs/limits');
    expect(body.match(/\]\((?!https?:|#)[^)]*\)/g)).toBeNull();
    expect(body).toContain('docs/alerts/limits.yml has alerts');
  });

  it('has every route of the REST part and no other', () => {
    const routes = registered
      .filter((route) => !route.startsWith('HEAD ') && !UNDOCUMENTED.test(route))
      .map((route) => route.replace('/*', '/{*}').replaceAll(/:(\w+)/g, '{$1}'));
    expect(routes.length).toBeGreaterThan(15);
    expect(
      operations()
        .map(([name]) => name)
        .sort(),
    ).toEqual([...new Set(routes)].sort());
  });

  it('names, sums up and describes each of them, with every parameter', () => {
    const names = operations().map(([, { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const [name, { summary, tags, parameters = [], responses }] of operations()) {
      expect(summary, name).toMatch(/\.$/);
      expect(tags, name).toHaveLength(1);
      expect(
        Object.values(responses).filter(({ description }) => !/\w/.test(description)),
        name,
      ).toEqual([]);
      const undescribed = parameters.filter((one) => one.in !== 'header' && !one.description);
      expect(undescribed, name).toEqual([]);
    }
  });
});

describe('the page at /docs/api', () => {
  it('loads everything from the server itself, under a policy that allows no other host', async () => {
    const page = await app.inject({ url: '/docs/api/' });
    expect(page.statusCode).toBe(200);
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const { pathname, host } = new URL(file, 'http://here/docs/api/');
      expect(host).toBe('here');
      expect((await app.inject({ url: pathname })).statusCode, file).toBe(200);
    }
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:/);
    expect(page.body).not.toMatch(/<script>[^<]/);
  });

  it('is not there where it is not wanted, and the document is', async () => {
    const production = await withRoutes(false);
    expect((await production.inject({ url: '/docs/api/' })).statusCode).toBe(404);
    expect((await production.inject({ url: '/openapi.json' })).statusCode).toBe(200);
    await production.close();
  });
});
