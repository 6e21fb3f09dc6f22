import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';
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

const OUT = '{ key: endpoint, value: GET /media/*, unlimited: true }';
const rules = `
domain: media
descriptors:
  - key: global
    rate_limit: { requests_per_unit: 100000, unit: day }
    descriptors: [${OUT}]
  - key: remote_address
    rate_limit: { requests_per_unit: 3, unit: day }
    descriptors: [${OUT}]
  - key: user_id
    rate_limit: { requests_per_unit: 3, unit: day }
    descriptors:
      - ${OUT}
      - { key: plan, value: admin, rate_limit: { requests_per_unit: 1000, unit: day } }
  - key: endpoint
    value: GET /media/*
    rate_limit: { requests_per_unit: 8, unit: day }
    descriptors:
      - { key: remote_address, value: 198.51.100.*, unlimited: true }
`;

const KEY = `images/${'a'.repeat(32)}/full.png`;
const FILE = `/media/${KEY}`;

let dir: string;
let counters: RedisProcess;
let world: LimitedWorld;
let shipped: LimitedWorld;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tidings-gate-media-'));
  await mkdir(path.join(dir, path.dirname(KEY)), { recursive: true });
  await writeFile(path.join(dir, KEY), 'bytes of a picture');
  counters = await startRedisProcess();
  const document = await readFile(new URL('../../rules/default.yaml', import.meta.url), 'utf8');
  [world, shipped] = await Promise.all([
    startLimitedWorld(rules, { MEDIA_DIR: dir, RATE_LIMIT_REDIS_URL: counters.url }),
    startLimitedWorld(document, { MEDIA_DIR: dir }),
  ]);
});
afterAll(async () => {
  await Promise.all([world?.close(), shipped?.close()]);
  await counters?.stop();
  await rm(dir, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** As a client without a cache of its own asks: `fetch` adds to conditional requests. */
function get(at: LimitedWorld, target: string, headers: Record<string, string> = {}): Promise<Answer> {
  const [method, route] = target.startsWith('/') ? ['GET', target] : target.split(' ');
  return new Promise((resolve, reject) => {
    request(`${at.api.url}${route}`, { method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    })
      .on('error', reject)
      .end();
  });
}

const from = (address: string) => ({ 'x-forwarded-for': address });
const remaining = ({ headers }: Answer): number => Number(headers['x-ratelimit-remaining']);
const apiCall = (headers: Record<string, string>) => () => send(world.api, 'GET /nowhere', headers);

describe('files of media', () => {
  itCounts(
    'every answer counts and carries the limits, whatever its status, until one is refused with 429',
    () => [world.api],
    async (strangers) => {
      const own = from(strangers.address(1));
      const { etag } = (await get(world, FILE, from('198.51.100.1'))).headers;
      const asked: readonly [string, Record<string, string>, number][] = [
        [FILE, {}, 200],
        [`HEAD ${FILE}`, {}, 200],
        [FILE, { range: 'bytes=0-4' }, 206],
        [FILE, { 'if-none-match': String(etag) }, 304],
        ['/media/images/none.png', {}, 404],
        [`/media/images/${'b'.repeat(32)}/full.png`, {}, 404],
        [FILE, { 'if-match': '"another"' }, 412],
        [FILE, { range: 'bytes=999-' }, 416],
      ];
      for (const [index, [target, headers, status]] of asked.entries()) {
        const answer = await get(world, target, { ...own, ...headers });
        expect([target, answer.status, remaining(answer)]).toEqual([target, status, 7 - index]);
        expect(answer.headers).toMatchObject({
          'x-ratelimit-limit': '8',
          'x-ratelimit-policy': '8;w=86400',
          'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
          ratelimit: expect.stringContaining(`r=${7 - index}`),
          'ratelimit-policy': expect.stringContaining('q=8;w=86400'),
        });
      }
      for (const headers of [{}, { range: 'bytes=0-4' }, { 'if-none-match': String(etag) }]) {
        const refused = await get(world, FILE, { ...own, ...headers });
        expect([refused.status, remaining(refused)]).toEqual([429, 0]);
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
        expect(JSON.parse(refused.text).error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 8 });
      }
      expect((await get(world, FILE, from(strangers.address(2)))).status).toBe(200);
      // Of the API calls nothing is used, and they are not refused.
      const call = apiCall(own);
      expect((await call()).headers.get('x-ratelimit-remaining')).toBe('2');
      expect(await statusesOf(3, call)).toEqual([404, 404, 429]);
    },
  );

  itCounts(
    'who is refused elsewhere, by address or by name, still gets files',
    () => [world.api],
    async (strangers) => {
      const callers: Record<string, string>[] = [
        from(strangers.address(3)),
        { authorization: await bearer(strangers.user('zoe'), 'pro') },
      ];
      for (const caller of callers) {
        expect(await statusesOf(5, apiCall(caller))).toEqual([404, 404, 404, 429, 429]);
        const answer = await get(world, FILE, caller);
        expect([answer.status, remaining(answer), answer.text]).toEqual([200, 7, 'bytes of a picture']);
        expect((await apiCall(caller)()).status).toBe(429);
      }
    },
  );

  it('a rule below the route’s own lifts the limit for a CDN’s networks', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 12; n += 1) statuses.add((await get(world, FILE, from('198.51.100.7'))).status);
    expect(statuses).toEqual(new Set([200]));
  });

  it.each(['GET /media/*', 'GET /media/{key}', 'GET /media/:key'])(
    'a rule for %s is taken without a warning',
    async (endpoint) => {
      const document = `${rules.slice(0, rules.indexOf('  - key: endpoint\n'))}
  - { key: endpoint, value: "${endpoint}", rate_limit: { requests_per_unit: 5, unit: minute }, fail: closed }`;
      const { body } = await ask(
        world.api,
        `mutation ($document: String!) { putRateLimitRules(input: { document: $document, dryRun: true }) {
          ruleSet { warnings } userErrors { message } } }`,
        await bearer('root', 'admin', ['admin']),
        { document },
      );
      expect(body.data.putRateLimitRules).toEqual({ ruleSet: { warnings: [] }, userErrors: [] });
    },
  );

  it('while the counters are frozen files are served, and after the first without waiting for them', async () => {
    counters.freeze();
    try {
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => get(world, FILE, from('192.0.2.77'))),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const timedOut = () => measured(world.api, 'rate_limiter_redis_errors_total', 'error_type="timeout"');
      const before = await timedOut();
      for (let n = 0; n < 20; n += 1) {
        const answer = await get(world, FILE, from('192.0.2.77'));
        expect([answer.status, answer.headers['x-ratelimit-limit'], remaining(answer)]).toEqual([
          200,
          '8',
          8,
        ]);
      }
      // None of them waited for an answer of the counters.
      expect(await timedOut()).toBe(before);
    } finally {
      counters.thaw();
    }
  });
});

describe('under the rules of the product', () => {
  itCounts(
    'an anonymous browser loads ten pages of a hundred pictures, and has all of its API calls',
    () => [shipped.api],
    async (strangers) => {
      const own = from(strangers.address(1));
      for (let page = 0; page < 10; page += 1) {
        const pictures = await Promise.all(Array.from({ length: 100 }, () => get(shipped, FILE, own)));
        expect(new Set(pictures.map(({ status }) => status))).toEqual(new Set([200]));
        expect(pictures[0]!.headers['x-ratelimit-policy']).toBe('3000;w=60');
      }
      const call = await send(shipped.api, 'GET /nowhere', own);
      expect([call.status, call.headers.get('x-ratelimit-remaining')]).toEqual([404, '99']);
      // What all share is as untouched by pictures.
      const { body } = await ask(
        shipped.api,
        `{ rateLimitPreview(descriptors: [{ key: "remote_address", value: "203.0.113.9" }]) { tiers { rule used } } }`,
        await bearer(strangers.user('root'), 'pro', ['admin']),
      );
      const shared = body.data.rateLimitPreview.tiers.find(({ rule }: { rule: string }) => rule === 'global');
      expect(shared.used).toBeLessThan(100);
    },
  );

  itCounts(
    'a provider calls back more often than other callers may call',
    () => [shipped.api],
    async (strangers) => {
      const own = from(strangers.address(2));
      const answer = await send(shipped.api, 'POST /api/v1/callbacks/twilio', own, {});
      expect(answer.headers.get('x-ratelimit-limit')).toBe('6000');
      expect(answer.headers.get('x-ratelimit-policy')).toBe('6000;w=60');
    },
  );
});
