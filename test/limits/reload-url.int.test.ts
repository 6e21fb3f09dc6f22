import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../src/local/free-port.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { bad, createProcesses, good, measured, NOWHERE, type TestProcess, until } from './reload-world.js';

let database: TestDatabase;
let redis: TestRedis;
let server: Server;
let port: number;
let answer: RequestListener;
let asked: { ifNoneMatch: string | undefined; authorization: string | undefined }[];
const processes = createProcesses();

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
});
afterAll(async () => {
  await redis.stop();
  await database.drop();
});
beforeEach(async () => {
  asked = [];
  answer = serve(good('first'));
  port = await freePort();
  server = createServer((request, response) => {
    asked.push({
      ifNoneMatch: request.headers['if-none-match'],
      authorization: request.headers.authorization,
    });
    answer(request, response);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await processes.stopAll();
  server.closeAllConnections();
  server.close();
});

/** With an entity tag, as most servers of files do. */
const serve =
  (document: string): RequestListener =>
  (request, response) => {
    const etag = `"${document.length}-${document.slice(8, 20)}"`.replaceAll('\n', '');
    const same = request.headers['if-none-match'] === etag;
    response.writeHead(same ? 304 : 200, { etag }).end(same ? undefined : document);
  };

const start = (
  options: { pollMs?: number; answerMs?: number; credentials?: string } = {},
): Promise<TestProcess> => {
  const { credentials = '', ...timing } = options;
  const source = `http://${credentials}127.0.0.1:${port}/rules.yaml`;
  return processes.start({
    source,
    postgresUrl: database.url,
    redisUrl: redis.url,
    earUrl: NOWHERE,
    ...timing,
  });
};

it('rules behind a URL are in force, and new ones soon after they are there', async () => {
  const process = await start({ pollMs: 50 });
  expect(process.keeper.ruleSet()).toMatchObject({
    domain: 'first',
    source: `http://127.0.0.1:${port}/rules.yaml`,
    lastError: null,
  });
  answer = serve(good('second'));
  await until(() => expect(process.keeper.current().domain).toBe('second'));
});

it('an unchanged document is not sent again', async () => {
  const process = await start();
  await process.keeper.lookAgain();
  await process.keeper.lookAgain();
  expect(asked.at(-1)?.ifNoneMatch).toMatch(/first/);
  expect(process.keeper.ruleSet()).toMatchObject({ domain: 'first', lastError: null });
  expect(await measured(process)).toEqual({ ok: 1, rejected: 0, unreachable: 0, stale: 0 });
});

it('a redirect is followed', async () => {
  const real = serve(good('moved'));
  answer = (request, response) => {
    if (request.url === '/moved') real(request, response);
    else response.writeHead(302, { location: '/moved' }).end();
  };
  expect((await start()).keeper.current().domain).toBe('moved');
});

it('a name and password in the URL open the source, and are never shown', async () => {
  const process = await start({ credentials: 'reader:se%20cret@' });
  expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from('reader:se cret').toString('base64')}`);
  expect(process.keeper.ruleSet().source).toBe(`http://127.0.0.1:${port}/rules.yaml`);
});

it.each<[string, RequestListener, RegExp]>([
  ['answers with an error', (_, response) => void response.writeHead(500).end('broken'), /status 500/],
  ['says that nothing is there', (_, response) => void response.writeHead(404).end(), /status 404/],
  ['never answers', () => undefined, /no answer in 1500 ms/],
  ['never ends its answer', (_, response) => void response.write('domain: x'), /no answer in 1500 ms/],
  [
    'breaks off',
    (_, response) =>
      void response.writeHead(200, { 'content-length': 9 }).write('dom', () => response.destroy()),
    /cannot be read: ./,
  ],
  ['sends 10 MB', (_, response) => void response.end(Buffer.alloc(10 * 1024 * 1024, 'x')), /256 KiB/],
])('a source that %s leaves the old rules in force, and they say so', async (_, failing, why) => {
  const process = await start({ answerMs: 1_500 });
  const rules = process.keeper.current();
  answer = failing;
  await process.keeper.lookAgain();
  expect(process.keeper.current()).toBe(rules);
  expect(process.keeper.ruleSet().lastError).toMatch(why);
  expect(await measured(process)).toMatchObject({ ok: 1, rejected: 0, stale: 1 });
  expect((await measured(process)).unreachable).toBeGreaterThan(0);
  answer = serve(good('back'));
  await process.keeper.lookAgain();
  expect(process.keeper.ruleSet()).toMatchObject({ domain: 'back', lastError: null });
  expect(await measured(process)).toMatchObject({ stale: 0 });
});

it('a source whose server is gone leaves the old rules in force, and the reload is refused', async () => {
  const process = await start();
  server.closeAllConnections();
  server.close();
  expect(await process.keeper.reload()).toEqual({
    ok: false,
    errors: [
      {
        code: 'RATE_LIMIT_RULES_UNREACHABLE',
        message: expect.stringMatching(/rules\.yaml cannot be read: ./),
      },
    ],
  });
  expect(process.keeper.current().domain).toBe('first');
});

it('a faulty document leaves the old rules in force, and the reload is refused with its faults', async () => {
  const process = await start();
  answer = serve(bad('second'));
  expect(await process.keeper.reload()).toEqual({
    ok: false,
    errors: [{ code: 'RATE_LIMIT_RULES_INVALID', message: expect.stringMatching(/line 4, column \d+: /) }],
  });
  expect(process.keeper.current().domain).toBe('first');
});

it('looks never overlap, however many are asked for while the source hangs', async () => {
  const process = await start();
  let open = 0;
  let most = 0;
  const held: (() => void)[] = [];
  const before = asked.length;
  answer = (request, response) => {
    most = Math.max(most, ++open);
    held.push(() => {
      open--;
      serve(good('first'))(request, response);
    });
  };
  const looks = Array.from({ length: 20 }, () => process.keeper.lookAgain());
  await until(() => expect(held).toHaveLength(1));
  looks.push(...Array.from({ length: 20 }, () => process.keeper.lookAgain()));
  held[0]?.();
  await until(() => expect(held).toHaveLength(2));
  held[1]?.();
  await Promise.all(looks);
  expect({ most, looks: asked.length - before }).toEqual({ most: 1, looks: 2 });
});

it('a keeper closes while its source hangs', async () => {
  const process = await start();
  answer = () => undefined;
  const look = process.keeper.lookAgain();
  await until(() => expect(asked).toHaveLength(2));
  await process.keeper.close();
  await look;
  expect(process.keeper.current().domain).toBe('first');
});
