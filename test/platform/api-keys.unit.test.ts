import { beforeEach, describe, expect, test } from 'vitest';
import {
  hashSecret,
  makeApiKey,
  matchesHash,
  parseApiKey,
  writeApiKey,
} from '../../src/platform/auth/api-key.js';
import { createApiKeyCheck, notForNow, type StoredApiKey } from '../../src/platform/auth/api-key-check.js';
import type { Viewer } from '../../src/platform/auth/auth.js';

const unavailable = { code: 'SERVICE_UNAVAILABLE', message: 'The API key cannot be checked for now' };
const refusal = { code: 'UNAUTHENTICATED', message: 'The API key is not valid' };

describe('the text of a key', () => {
  test('is read back as it was written, whatever its secret looks like', () => {
    for (let i = 0; i < 200; i++) {
      const key = makeApiKey();
      expect(parseApiKey(writeApiKey(key))).toEqual(key);
    }
    const awkward = { apiKeyId: '0123456789abcdef', secret: `_-_${'_'.repeat(40)}` };
    expect(parseApiKey(writeApiKey(awkward))).toEqual(awkward);
  });

  test('has 256 random bits that nobody stores, and an id that never repeats', () => {
    const keys = Array.from({ length: 1_000 }, makeApiKey);
    expect(new Set(keys.map((key) => key.apiKeyId)).size).toBe(1_000);
    expect(new Set(keys.map((key) => key.secret)).size).toBe(1_000);
    const { secret } = keys[0]!;
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    const hash = hashSecret(secret);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(matchesHash(secret, hash)).toBe(true);
    expect(matchesHash(keys[1]!.secret, hash)).toBe(false);
  });

  test('is nothing else', () => {
    const text = writeApiKey(makeApiKey());
    const others = [
      '',
      'tidings_',
      'tidings__',
      text.slice(0, -1),
      `${text}A`,
      `${text}\n`,
      ` ${text}`,
      text.toUpperCase(),
      text.replace('tidings', 'Tidings'),
      text.replace(/_[0-9a-f]{16}_/, '_0123456789abcdeg_'),
      text.replace(/.$/, '='),
      text.replace(/.$/, '\0'),
      `tidings_${'0'.repeat(1_000_000)}`,
    ];
    for (const other of others) expect(parseApiKey(other)).toBeNull();
  });
});

describe('the check of a key', () => {
  const key = makeApiKey();
  const text = writeApiKey(key);
  let now: number;
  let rows: Map<string, StoredApiKey>;
  let lookups: string[];
  let away: boolean;
  let check: (text: string) => Promise<Viewer>;
  beforeEach(() => {
    now = Date.UTC(2026, 0, 1);
    rows = new Map([[key.apiKeyId, stored(key.secret)]]);
    lookups = [];
    away = false;
    ({ check } = createApiKeyCheck(find, { now: () => now }));
  });

  const stored = (secret: string): StoredApiKey => ({
    hash: hashSecret(secret),
    userId: 'billing',
    roles: new Set(['producer']),
    plan: 'pro',
  });

  async function find(apiKeyId: string): Promise<StoredApiKey | null> {
    lookups.push(apiKeyId);
    if (away) throw notForNow();
    return rows.get(apiKeyId) ?? null;
  }

  const refused = (presented: string) => expect(check(presented)).rejects.toMatchObject(refusal);
  const wrongSecret = () => writeApiKey({ ...makeApiKey(), apiKeyId: key.apiKeyId });
  const invented = () => writeApiKey(makeApiKey());

  test('never looks up what is no key', async () => {
    for (const malformed of ['tidings_', 'tidings_x_y', `${text}x`, 'tidings_0123456789abcdef_']) {
      await refused(malformed);
    }
    expect(lookups).toEqual([]);
  });

  test('refuses in the same words whatever is wrong, so that nobody learns which half was right', async () => {
    const refusals: unknown[] = [];
    for (const wrong of ['tidings_x', invented(), wrongSecret()]) {
      refusals.push(await check(wrong).catch(({ name, code, message }) => ({ name, code, message })));
    }
    rows.clear();
    now += 60_000;
    refusals.push(await check(text).catch(({ name, code, message }) => ({ name, code, message })));
    expect(refusals).toEqual(Array(4).fill({ name: 'PublicError', ...refusal }));
  });

  test('accepts a key for a minute without looking again', async () => {
    const viewer = await check(text);
    now += 59_999;
    expect(await check(text)).toBe(viewer);
    expect(lookups).toHaveLength(1);
    now += 1;
    expect(await check(text)).toEqual(viewer);
    expect(lookups).toHaveLength(2);
  });

  test('refuses a revoked key within a minute of its revocation', async () => {
    await check(text);
    rows.delete(key.apiKeyId);
    now += 59_999;
    await check(text);
    now += 1;
    await refused(text);
  });

  test('counts the minute from when the lookup began, however long it took', async () => {
    let answer = (_: StoredApiKey) => {};
    const { check: slow } = createApiKeyCheck(
      (apiKeyId) => {
        lookups.push(apiKeyId);
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
      { now: () => now },
    );
    const first = slow(text);
    now += 30_000;
    answer(stored(key.secret));
    await first;
    now += 30_000;
    const second = slow(text);
    expect(lookups).toHaveLength(2);
    answer(stored(key.secret));
    await second;
  });

  test('accepts nothing longer because the clock was set back', async () => {
    await check(text);
    rows.delete(key.apiKeyId);
    now -= 3_600_000;
    await refused(text);
  });

  test('sees a change of plan or roles within a minute', async () => {
    await check(text);
    rows.set(key.apiKeyId, { ...stored(key.secret), plan: 'enterprise' });
    now += 60_000;
    expect((await check(text)).plan).toBe('enterprise');
  });

  test('looks a guessed id up once in ten seconds, however often it is tried', async () => {
    const guess = invented();
    for (let i = 0; i < 100; i++) await refused(guess);
    now += 9_999;
    await refused(guess);
    expect(lookups).toHaveLength(1);
    now += 1;
    await refused(guess);
    expect(lookups).toHaveLength(2);
  });

  test('guesses secrets of a known id without Postgres, and the right one still works', async () => {
    for (let i = 0; i < 100; i++) await refused(wrongSecret());
    expect(await check(text)).toMatchObject({ userId: 'billing' });
    expect(lookups).toHaveLength(1);
  });

  test('looks an id up once, however many ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 500 }, () => check(text)));
    expect(new Set(answers).size).toBe(1);
    const guess = invented();
    await Promise.all(Array.from({ length: 500 }, () => refused(guess)));
    expect(lookups).toHaveLength(2);
  });

  test('costs one lookup for each invented id, and a flood of them displaces no key that holds', async () => {
    await check(text);
    const flood = Array.from({ length: 25_000 }, invented);
    for (const guess of flood) await check(guess).catch(() => undefined);
    expect(lookups).toHaveLength(1 + flood.length);
    await check(text);
    expect(lookups).toHaveLength(1 + flood.length);
    // The latest 10,000 are remembered, and no more than those.
    await refused(flood.at(-10_000)!);
    expect(lookups).toHaveLength(1 + flood.length);
    await refused(flood.at(-10_001)!);
    expect(lookups).toHaveLength(2 + flood.length);
  });

  test('keeps at most 1,000 lookups waiting: more are asked to come back, and known keys go on', async () => {
    await check(text);
    const waiting: ((found: null) => void)[] = [];
    let slowNow = true;
    const { check: slow } = createApiKeyCheck(
      (apiKeyId) =>
        slowNow && apiKeyId !== key.apiKeyId
          ? new Promise((resolve) => waiting.push(resolve))
          : find(apiKeyId),
      { now: () => now },
    );
    await slow(text);
    const held = Array.from({ length: 1_000 }, () => expect(slow(invented())).rejects.toMatchObject(refusal));
    await expect(slow(invented())).rejects.toMatchObject(unavailable);
    expect(waiting).toHaveLength(1_000);
    await slow(text);
    slowNow = false;
    for (const answer of waiting) answer(null);
    await Promise.all(held);
    await expect(slow(invented())).rejects.toMatchObject(refusal);
  });

  test('says that it does not know while keys cannot be looked up, and known ones go on for their minute', async () => {
    await check(text);
    away = true;
    now += 59_999;
    await check(text);
    await expect(check(invented())).rejects.toMatchObject(unavailable);
    now += 1;
    await expect(check(text)).rejects.toMatchObject(unavailable);
    away = false;
    await check(text);
  });

  test('forgets a failed lookup at once', async () => {
    away = true;
    const guess = invented();
    await expect(check(guess)).rejects.toMatchObject(unavailable);
    await expect(check(guess)).rejects.toMatchObject(unavailable);
    expect(lookups).toHaveLength(2);
    away = false;
    await refused(guess);
  });
});
