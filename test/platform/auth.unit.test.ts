import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashSecret, makeApiKey, writeApiKey } from '../../src/platform/auth/api-key.js';
import { createAuthenticator, signToken } from '../../src/platform/auth/auth.js';
import { PublicError } from '../../src/platform/errors.js';

const SECRET = 'a secret that is long enough for HS256';
const time = { ms: Date.UTC(2026, 0, 1) };
const clock = { now: () => time.ms };
const authenticator = createAuthenticator({ secret: SECRET }, clock);
const key = new TextEncoder().encode(SECRET);
const refusal = { code: 'UNAUTHENTICATED' };

/** A token that is valid for a minute, unless its claims say otherwise. */
const sign = (claims: Record<string, unknown>, alg = 'HS256', by = key) =>
  new SignJWT({ exp: Math.floor(time.ms / 1000) + 60, ...claims }).setProtectedHeader({ alg }).sign(by);

describe('tokens signed with the shared secret', () => {
  test('say who asks, in which roles, on which plan and until when', async () => {
    const token = await signToken(
      SECRET,
      { userId: 'alice', roles: ['user', 'admin'], plan: 'pro', expiresInSeconds: 60 },
      clock,
    );
    expect(await authenticator.authenticate(`Bearer ${token}`)).toEqual({
      userId: 'alice',
      roles: new Set(['user', 'admin']),
      plan: 'pro',
      expiresAt: time.ms + 60_000,
    });
  });

  test('are not needed: nobody is anonymous by accident', async () => {
    expect(await authenticator.authenticate(undefined)).toBeNull();
    await expect(authenticator.authenticate('')).rejects.toMatchObject(refusal);
  });

  test('end at their expiry, seen before or not', async () => {
    const token = await signToken(
      SECRET,
      { userId: 'a', roles: [], plan: 'free', expiresInSeconds: 30 },
      clock,
    );
    await authenticator.authenticate(`Bearer ${token}`);
    time.ms += 30_000;
    await expect(authenticator.authenticate(`Bearer ${token}`)).rejects.toMatchObject(refusal);
  });

  test('have a user’s roles on the free plan unless they say otherwise; foreign roles mean nothing', async () => {
    const bare = await sign({ sub: 'bob' });
    expect(await authenticator.authenticate(`Bearer ${bare}`)).toEqual({
      userId: 'bob',
      roles: new Set(['user']),
      plan: 'free',
      expiresAt: time.ms + 60_000,
    });
    const foreign = await sign({ sub: 'bob', roles: ['root'] });
    expect((await authenticator.authenticate(`Bearer ${foreign}`))?.roles.size).toBe(0);
  });

  test('of another key, algorithm or shape are refused', async () => {
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"alice"}')}.`;
    const wrong = [
      await sign({ sub: 'alice' }, 'HS256', new TextEncoder().encode('another secret of a decent length')),
      await sign({ sub: 'alice' }, 'HS512', new TextEncoder().encode(SECRET.repeat(2))),
      ...(await Promise.all(
        ['', 'x'.repeat(65), 'a\0b', 'a\nb', 'a b', '\u202eecila', '\ud800', 'feed', 'commerce'].map((sub) =>
          sign({ sub }),
        ),
      )),
      await sign({ sub: 'alice', plan: 'pro\0' }),
      unsigned,
      'nonsense',
    ];
    for (const token of wrong) {
      await expect(authenticator.authenticate(`Bearer ${token}`)).rejects.toMatchObject(refusal);
    }
    // Without `Bearer`.
    await expect(authenticator.authenticate(await sign({ sub: 'alice' }))).rejects.toMatchObject(refusal);
  });

  test('must expire, within ten years', async () => {
    const inSeconds = (seconds: number) => Math.floor(time.ms / 1000) + seconds;
    for (const exp of [undefined, 1e300, inSeconds(11 * 365 * 86_400), 'soon']) {
      const token = await sign({ sub: 'alice', exp });
      await expect(authenticator.authenticate(`Bearer ${token}`)).rejects.toMatchObject(refusal);
    }
    const long = await sign({ sub: 'alice', exp: inSeconds(9 * 365 * 86_400) });
    expect(await authenticator.authenticate(`Bearer ${long}`)).toMatchObject({ userId: 'alice' });
  });

  test('have one spelling: one space before them, and nothing after; so one token is kept once', async () => {
    const token = await sign({ sub: 'alice' });
    const spellings = [`Bearer  ${token}`, `Bearer ${token} `, ` Bearer ${token}`, `Bearer\t${token}`];
    for (const header of [
      ...spellings,
      `Bearer${' '.repeat(1_000_000)}${token}`,
      `Bearer ${'x'.repeat(5_000)}`,
    ]) {
      await expect(authenticator.authenticate(header)).rejects.toMatchObject(refusal);
    }
    const viewer = await authenticator.authenticate(`Bearer ${token}`);
    expect(await authenticator.authenticate(`bearer ${token}`)).toBe(viewer);
  });

  test('must be of the issuer and for the audience that are configured', async () => {
    const strict = createAuthenticator({ secret: SECRET, issuer: 'us', audience: 'tidings' }, clock);
    const claims = { userId: 'alice', roles: [], plan: 'free', expiresInSeconds: 60 };
    const ours = await signToken(SECRET, { ...claims, issuer: 'us', audience: 'tidings' }, clock);
    const theirs = await signToken(SECRET, { ...claims, issuer: 'them', audience: 'tidings' }, clock);
    expect(await strict.authenticate(`Bearer ${ours}`)).toMatchObject({ userId: 'alice' });
    await expect(strict.authenticate(`Bearer ${theirs}`)).rejects.toMatchObject(refusal);
  });
});

describe('tokens signed by a key of a JWKS', () => {
  let close: () => void;
  let jwksUrl: string;
  let privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  beforeAll(async () => {
    const pair = await generateKeyPair('ES256');
    privateKey = pair.privateKey;
    const keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256' }];
    const server = createServer((_, response) => response.end(JSON.stringify({ keys })));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
    close = () => server.close();
  });
  afterAll(() => close());

  test('are accepted, and HS256 is not, even with the public key as its secret', async () => {
    const remote = createAuthenticator({ jwksUrl }, clock);
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setSubject('eve')
      .setExpirationTime(Math.floor(time.ms / 1000) + 60)
      .sign(privateKey);
    expect(await remote.authenticate(`Bearer ${token}`)).toMatchObject({ userId: 'eve' });
    const forged = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .setSubject('eve')
      .setExpirationTime(Math.floor(time.ms / 1000) + 60)
      .sign(key);
    await expect(remote.authenticate(`Bearer ${forged}`)).rejects.toMatchObject(refusal);
  });

  test('cannot be judged while the keys are out of reach: that is not the caller’s fault', async () => {
    const remote = createAuthenticator({ jwksUrl: 'http://127.0.0.1:1/jwks' }, clock);
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setSubject('eve')
      .setExpirationTime(Math.floor(time.ms / 1000) + 60)
      .sign(privateKey);
    await expect(remote.authenticate(`Bearer ${token}`)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

describe('API keys', () => {
  const apiKey = makeApiKey();
  const text = writeApiKey(apiKey);
  const stored = {
    hash: hashSecret(apiKey.secret),
    userId: 'billing',
    roles: new Set(['producer'] as const),
    plan: 'pro',
  };
  const findApiKey = (apiKeyId: string) => Promise.resolve(apiKeyId === apiKey.apiKeyId ? stored : null);

  test('are accepted where a token is, and say who asks; they have no expiry of their own', async () => {
    const both = createAuthenticator({ secret: SECRET }, clock, { findApiKey });
    expect(await both.authenticate(`Bearer ${text}`)).toEqual({
      userId: 'billing',
      roles: new Set(['producer']),
      plan: 'pro',
      apiKeyId: apiKey.apiKeyId,
    });
    expect(await both.authenticate(`Bearer ${await sign({ sub: 'alice' })}`)).toMatchObject({
      userId: 'alice',
    });
    expect(await both.authenticate(undefined)).toBeNull();
  });

  test('have one spelling, as tokens do', async () => {
    const both = createAuthenticator({ secret: SECRET }, clock, { findApiKey });
    const wrong = [
      text,
      `Bearer  ${text}`,
      `Bearer ${text} `,
      `Bearer ${text.toUpperCase()}`,
      `Bearer ${text}A`,
    ];
    for (const header of wrong) await expect(both.authenticate(header)).rejects.toMatchObject(refusal);
  });

  test('are refused where nobody can look them up', async () => {
    await expect(authenticator.authenticate(`Bearer ${text}`)).rejects.toMatchObject(refusal);
  });

  test('do not keep tokens out while keys cannot be looked up', async () => {
    const away = createAuthenticator({ secret: SECRET }, clock, {
      findApiKey: () => Promise.reject(new PublicError('SERVICE_UNAVAILABLE', 'away')),
    });
    await expect(away.authenticate(`Bearer ${text}`)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await away.authenticate(`Bearer ${await sign({ sub: 'alice' })}`)).toMatchObject({
      userId: 'alice',
    });
  });
});
