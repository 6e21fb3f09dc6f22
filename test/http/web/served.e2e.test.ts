import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { startApi, type TestProcess } from '../../support/processes.js';
import { startTestRedis, type TestRedis } from '../../support/redis.js';

const BROWSER = { accept: 'text/html,*/*;q=0.8' };

let database: TestDatabase;
let redis: TestRedis;
let production: TestProcess;
let without: TestProcess;
const start = (env: Record<string, string>) =>
  startApi({ databaseUrl: database.url, redisUrl: redis.url, env });

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  [production, without] = await Promise.all([start({ NODE_ENV: 'production' }), start({ CONSOLE: 'off' })]);
});
afterAll(async () => {
  await Promise.all([production, without].map((process) => process?.kill('SIGKILL')));
  await redis.stop();
  await database.drop();
});

test.each(['/', '/console', '/app', '/docs/limits', '/docs/feed/media'])(
  'what was built is served at %s, compressed, under a policy without inline scripts',
  async (path) => {
    const answer = await fetch(`${production.url}${path}`, { headers: BROWSER });
    const { headers } = answer;
    expect([answer.status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const page = await answer.text();
    expect(page).toMatch(/<!doctype html>/i);
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/i);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self';/);
    for (const [, asset] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      const file = await fetch(`${production.url}${asset}`, { headers: { 'accept-encoding': 'br' } });
      expect([file.status, file.headers.get('cache-control')], asset).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      const bytes = (await file.text()).length;
      if (bytes >= 1_024) expect(file.headers.get('content-encoding'), asset).toBe('br');
    }
  },
);

test('every link and picture of every guide leads to something', async () => {
  const seen = new Set<string>();
  const dead: string[] = [];
  async function follow(path: string, from: string): Promise<void> {
    if (seen.has(path)) return;
    seen.add(path);
    const answer = await fetch(`${production.url}${path}`, { headers: BROWSER });
    if (!answer.ok) dead.push(`${path} of ${from}`);
    if (!answer.headers.get('content-type')?.startsWith('text/html')) return;
    const links = (await answer.text()).matchAll(/(?:src|href)="(?!https?:|mailto:|#)([^"#]+)/g);
    for (const [, link = ''] of links) {
      const { pathname } = new URL(link, `${production.url}${path}`);
      if (pathname.startsWith('/docs')) await follow(pathname, path);
    }
  }
  await follow('/docs', 'the test');
  expect(dead).toEqual([]);
  expect([...seen]).toEqual(expect.arrayContaining(['/docs/limits', '/docs/pictures/trace-post.svg']));
});

test('production serves no GraphiQL and gives pages no token', async () => {
  const graphiql = await fetch(`${production.url}/graphiql`, { headers: BROWSER });
  expect([graphiql.status, graphiql.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  const config = await fetch(`${production.url}/web-config.json`);
  expect(await config.json()).toMatchObject({ environment: 'production', graphiql: false, demoTokens: [] });
});

test('production does not start where it is asked to hand out tokens', async () => {
  await expect(start({ NODE_ENV: 'production', DEMO_TOKENS: 'true' })).rejects.toThrow(
    /DEMO_TOKENS is not for production/,
  );
});

test('with CONSOLE=off a browser is answered as a program is', async () => {
  for (const path of ['/', '/console', '/favicon.ico', '/web-config.json']) {
    const answer = await fetch(`${without.url}${path}`, { headers: BROWSER });
    expect([answer.status, answer.headers.get('content-type')], path).toEqual([
      404,
      'application/json; charset=utf-8',
    ]);
  }
});
