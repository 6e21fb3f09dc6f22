import { createECDH } from 'node:crypto';
import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config.js';
import { createAuthenticator } from '../../../src/platform/auth/auth.js';
import { systemClock } from '../../../src/platform/clock.js';
import { ConfigError } from '../../../src/platform/config.js';
import { SECRET, serveBuiltPages } from './built-pages.js';

async function ask(env: Record<string, string>, headers: Record<string, string> = {}) {
  const pages = await serveBuiltPages(env);
  const answer = await pages.edge.app.inject({
    url: '/web-config.json',
    headers: { host: 'localhost:4000', ...headers },
  });
  await pages.close();
  return answer;
}

it('in production pages get no token, no GraphiQL and no sandbox', async () => {
  const answer = await ask({ NODE_ENV: 'production' });
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.json()).toEqual({
    environment: 'production',
    graphiql: false,
    sandboxUrl: null,
    demoTokens: [],
    pushKey: null,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});

it('in development pages get a token of each role that the API takes, where it is asked for', async () => {
  const env = { DEMO_TOKENS: 'true', SANDBOX_URL: 'http://127.0.0.1:4010' };
  const { demoTokens, ...others } = (await ask(env)).json();
  expect(others).toMatchObject({
    environment: 'development',
    graphiql: true,
    sandboxUrl: 'http://127.0.0.1:4010',
  });
  const { authenticate } = createAuthenticator({ secret: SECRET }, systemClock);
  const users = await Promise.all(
    demoTokens.map(async ({ userId, role, token }: Record<string, string>) => {
      const viewer = await authenticate(`Bearer ${token}`);
      return [userId, role, viewer?.userId, [...viewer!.roles]];
    }),
  );
  expect(users).toEqual([
    ['alice', 'user', 'alice', ['user']],
    ['shop', 'producer', 'shop', ['user', 'producer']],
    ['root', 'admin', 'root', ['user', 'producer', 'admin']],
  ]);
  expect((await ask({})).json().demoTokens).toEqual([]);
});

it.each([
  ['a page of another site, whose name leads here', { host: 'evil.test:4000' }, 0],
  ['a page of another port of this machine', { 'sec-fetch-site': 'same-site' }, 0],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 0],
  ['a page of the server', { 'sec-fetch-site': 'same-origin' }, 3],
  ['a page that was opened by an address', { host: '127.0.0.1:4000' }, 3],
  ['a page that was opened by another address', { host: '[::1]:4000' }, 3],
])('%s gets tokens only where it is the server’s own', async (_, headers, tokens) => {
  const answer = await ask({ DEMO_TOKENS: 'true' }, headers);
  expect(answer.json().demoTokens).toHaveLength(tokens);
});

const base = {
  DATABASE_URL: 'postgres://localhost/none',
  REDIS_URL: 'redis://localhost',
  AUTH_SECRET: SECRET,
};
const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
};

it('production refuses to hand out tokens, and says by which variable', () => {
  for (const NODE_ENV of ['production', ''])
    expect(
      faultsOf({ ...base, NODE_ENV, DEMO_TOKENS: 'true', SANDBOX_URL: 'http://127.0.0.1:4010' }),
    ).toEqual([
      expect.stringContaining('DEMO_TOKENS is not for production'),
      expect.stringContaining('SANDBOX_URL is not for production'),
    ]);
  expect(faultsOf({ ...base, DEMO_TOKENS: 'false' })).toEqual([]);
});

it('tokens are asked for with the secret that signs them', () => {
  const { AUTH_SECRET: _, ...others } = base;
  const env = { ...others, NODE_ENV: 'development', DEMO_TOKENS: '1', AUTH_JWKS_URL: 'https://keys.test' };
  expect(faultsOf(env)).toEqual([expect.stringContaining('DEMO_TOKENS needs AUTH_SECRET')]);
});

it('pages get the key with which browsers subscribe to Web Push, where it is configured', async () => {
  const keys = createECDH('prime256v1');
  // Node leaves out leading zeros, which one key in 256 has.
  do keys.generateKeys();
  while (keys.getPrivateKey().length < 32);
  const answer = await ask({
    VAPID_PUBLIC_KEY: keys.getPublicKey('base64url'),
    VAPID_PRIVATE_KEY: keys.getPrivateKey('base64url'),
    VAPID_SUBJECT: 'mailto:push@example.com',
  });
  expect(answer.json().pushKey).toBe(keys.getPublicKey('base64url'));
});
