import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeApiKey } from '../../src/platform/auth/api-key.js';
import { createKey, revokeKey, tableOfKeys } from '../../src/platform/auth/api-key-commands.js';
import { findShownApiKey, pageApiKeys } from '../../src/platform/auth/api-key-pages.js';
import {
  createApiKey,
  findApiKeyIn,
  listApiKeys,
  noteApiKeyUseIn,
  revokeApiKey,
} from '../../src/platform/auth/api-keys.js';
import { createAuthenticator } from '../../src/platform/auth/auth.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startFaultyProxy } from './faulty-proxy.js';

const time = { ms: Date.UTC(2026, 0, 1) };
const clock = { now: () => time.ms };
const owner = { userId: 'billing', roles: ['producer'], plan: 'pro' } as const;
const refusal = { code: 'UNAUTHENTICATED', message: 'The API key is not valid' };
const unavailable = { code: 'SERVICE_UNAVAILABLE' };

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = open(database.url);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});
beforeEach(() => postgres.query('TRUNCATE api_keys'));

const open = (url: string, max = 4) =>
  openPostgres(url, { max, applicationName: 'test', onError: () => undefined });
const authenticatorOn = (on: Postgres, lookupMs?: number) =>
  createAuthenticator({ secret: 'x'.repeat(32) }, clock, { findApiKey: findApiKeyIn(on, lookupMs) });

async function create(wanted = {}): Promise<{ apiKeyId: string; text: string }> {
  const created = await createApiKey(postgres, { ...owner, ...wanted }, clock);
  if (!created.ok) throw new Error(JSON.stringify(created.errors));
  return created.value;
}

describe('a key', () => {
  test('speaks for its user from the moment it is made', async () => {
    const { apiKeyId, text } = await create({ roles: ['producer', 'user', 'producer'] });
    expect(await authenticatorOn(postgres).authenticate(`Bearer ${text}`)).toEqual({
      userId: 'billing',
      roles: new Set(['producer', 'user']),
      plan: 'pro',
      apiKeyId,
    });
  });

  test('is not stored: only a hash of its secret is', async () => {
    const { apiKeyId, text } = await create();
    const { rows } = await postgres.query('SELECT api_keys::text AS row FROM api_keys');
    expect(rows[0]?.row).toContain(apiKeyId);
    expect(rows[0]?.row).not.toContain(text.split(`${apiKeyId}_`)[1]);
  });

  test('that was revoked stops within a minute where it was accepted, and at once elsewhere', async () => {
    const { apiKeyId, text } = await create();
    const authenticator = authenticatorOn(postgres);
    await authenticator.authenticate(`Bearer ${text}`);
    expect(await revokeApiKey(postgres, apiKeyId, clock)).toBe(true);
    await expect(authenticatorOn(postgres).authenticate(`Bearer ${text}`)).rejects.toMatchObject(refusal);
    time.ms += 59_999;
    expect(await authenticator.authenticate(`Bearer ${text}`)).toMatchObject({ apiKeyId });
    time.ms += 1;
    await expect(authenticator.authenticate(`Bearer ${text}`)).rejects.toMatchObject(refusal);
  });

  test('with another’s secret, or one that nobody has, is refused in the same words', async () => {
    const [one, other] = [await create(), await create()];
    const mixed = one.text.replace(one.apiKeyId, other.apiKeyId);
    const unknown = writeApiKey({ apiKeyId: '0'.repeat(16), secret: 'A'.repeat(43) });
    for (const text of [mixed, unknown]) {
      await expect(authenticatorOn(postgres).authenticate(`Bearer ${text}`)).rejects.toMatchObject(refusal);
    }
  });

  test('has no role that this version does not know', async () => {
    const { apiKeyId, text } = await create();
    await postgres.query(`UPDATE api_keys SET roles = '{auditor,user}' WHERE api_key_id = $1`, [apiKeyId]);
    const viewer = await authenticatorOn(postgres).authenticate(`Bearer ${text}`);
    expect(viewer?.roles).toEqual(new Set(['user']));
  });

  test('cannot be made for what no token could be for: every fault is named', async () => {
    const wrong = await createApiKey(postgres, { ...owner, userId: 'a b', plan: '' }, clock);
    expect(wrong).toMatchObject({
      ok: false,
      errors: [
        {
          code: 'ID_INVALID',
          message:
            'A user is 1 to 64 visible characters, without spaces, and not feed, commerce or notifications',
          path: ['input', 'userId'],
        },
        { code: 'PLAN_INVALID', message: 'A plan is 1 to 64 characters', path: ['input', 'plan'] },
      ],
    });
    for (const userId of ['', 'x'.repeat(65), 'a\nb', '\u202eecila']) {
      expect(await createApiKey(postgres, { ...owner, userId }, clock)).toMatchObject({ ok: false });
    }
    expect(await listApiKeys(postgres)).toEqual([]);
    // As long as may be, in characters and not in bytes.
    await create({ userId: '🔑'.repeat(64), plan: 'ü'.repeat(64) });
  });
});

describe('for admins, keys', () => {
  const page = (
    limit: number,
    cursor: string | null,
    direction: 'forward' | 'backward',
    userId: string | null,
  ) => pageApiKeys(postgres, { limit, cursor, direction }, userId);

  test('are listed newest first, all or one user’s, with who made and revoked them', async () => {
    const made: string[] = [];
    for (const userId of ['ann', 'bob', 'ann', 'bob', 'ann']) {
      time.ms += 1_000;
      const created = await createApiKey(postgres, { ...owner, userId }, clock, {
        name: `of ${userId}`,
        createdBy: 'root',
      });
      if (created.ok) made.unshift(created.value.apiKeyId);
    }
    await revokeApiKey(postgres, made[1]!, clock, 'root');
    // The first who revoked it counts.
    await revokeApiKey(postgres, made[1]!, clock, 'other');
    const idsOf = ({ edges }: Awaited<ReturnType<typeof page>>) => edges.map(({ node }) => node.apiKeyId);

    const first = await page(3, null, 'forward', null);
    expect(idsOf(first)).toEqual(made.slice(0, 3));
    expect(first.edges[1]!.node).toEqual({
      ...owner,
      userId: 'bob',
      apiKeyId: made[1],
      name: 'of bob',
      createdAt: expect.any(Date),
      createdBy: 'root',
      lastUsedAt: null,
      revokedAt: new Date(time.ms),
      revokedBy: 'root',
    });
    const second = await page(3, first.pageInfo.endCursor, 'forward', null);
    expect([idsOf(second), second.pageInfo.hasNextPage]).toEqual([made.slice(3), false]);
    expect(idsOf(await page(3, second.pageInfo.startCursor, 'backward', null))).toEqual(made.slice(0, 3));

    const anns = await page(2, null, 'forward', 'ann');
    expect([idsOf(anns), anns.pageInfo.hasNextPage]).toEqual([[made[0], made[2]], true]);
    expect(idsOf(await page(2, anns.pageInfo.endCursor, 'forward', 'ann'))).toEqual([made[4]]);
    expect(idsOf(await page(2, null, 'backward', 'ann'))).toEqual([made[2], made[4]]);
    expect(idsOf(await page(2, null, 'forward', 'no body'))).toEqual([]);
    await expect(page(2, 'forged', 'forward', null)).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    expect(await findShownApiKey(postgres, made[4]!)).toMatchObject({ userId: 'ann' });
    expect(await findShownApiKey(postgres, 'nothing')).toBeNull();
  });

  test('show when they were used last, to five minutes, and guesses are no use', async () => {
    const { apiKeyId, text } = await create();
    const noteApiKeyUse = noteApiKeyUseIn(postgres, clock);
    const authenticator = () =>
      createAuthenticator({ secret: 'x'.repeat(32) }, clock, {
        findApiKey: findApiKeyIn(postgres),
        noteApiKeyUse,
      });
    const lastUsedAt = async () => (await findShownApiKey(postgres, apiKeyId))?.lastUsedAt;
    const guess = text.replace(/.{4}$/, 'AAAA');
    await expect(authenticator().authenticate(`Bearer ${guess}`)).rejects.toMatchObject(refusal);
    await authenticator().authenticate(`Bearer ${text}`);
    const first = new Date(time.ms);
    await expect.poll(lastUsedAt).toEqual(first);

    time.ms += 299_000;
    await authenticator().authenticate(`Bearer ${text}`);
    time.ms += 2_000;
    await authenticator().authenticate(`Bearer ${text}`);
    await expect.poll(lastUsedAt).toEqual(new Date(first.getTime() + 301_000));
  });
});

describe('lists', () => {
  test('show all keys or one user’s, oldest first, revoked ones too, and never a hash', async () => {
    const first = await create();
    time.ms += 1_000;
    const second = await create({ userId: 'shop', roles: ['user', 'producer'] });
    time.ms += 1_000;
    await revokeApiKey(postgres, first.apiKeyId, clock);
    const revokedAt = new Date(time.ms);
    time.ms += 1_000;
    // The first time counts.
    expect(await revokeApiKey(postgres, first.apiKeyId, clock)).toBe(true);
    const all = await listApiKeys(postgres);
    expect(all).toEqual([
      { ...owner, apiKeyId: first.apiKeyId, createdAt: new Date(time.ms - 3_000), revokedAt },
      {
        apiKeyId: second.apiKeyId,
        userId: 'shop',
        roles: ['user', 'producer'],
        plan: 'pro',
        createdAt: new Date(time.ms - 2_000),
        revokedAt: null,
      },
    ]);
    expect(await listApiKeys(postgres, 'shop')).toEqual([all[1]]);
    expect(await listApiKeys(postgres, 'nobody')).toEqual([]);
  });
});

describe('while Postgres is away', () => {
  test('a key that was accepted goes on, another cannot be judged, and both work when it is back', async () => {
    const proxy = await startFaultyProxy(database.url);
    const through = open(proxy.url);
    const authenticator = authenticatorOn(through);
    const [known, fresh] = [await create(), await create()];
    const ask = (text: string) => authenticator.authenticate(`Bearer ${text}`);
    await ask(known.text);
    await proxy.refuse();
    time.ms += 59_999;
    expect(await ask(known.text)).toMatchObject({ apiKeyId: known.apiKeyId });
    await expect(ask(fresh.text)).rejects.toMatchObject(unavailable);
    time.ms += 1;
    await expect(ask(known.text)).rejects.toMatchObject(unavailable);
    await proxy.accept();
    expect(await ask(fresh.text)).toMatchObject({ apiKeyId: fresh.apiKeyId });
    expect(await ask(known.text)).toMatchObject({ apiKeyId: known.apiKeyId });
    await through.close();
    await proxy.close();
  });

  test('nobody waits without end for a Postgres that has gone silent', async () => {
    const proxy = await startFaultyProxy(database.url);
    const through = open(proxy.url, 1);
    await through.query('SELECT 1');
    proxy.silence();
    const authenticator = authenticatorOn(through, 200);
    const { text, apiKeyId } = await create();
    await expect(authenticator.authenticate(`Bearer ${text}`)).rejects.toMatchObject(unavailable);
    // The silent connection was given up: the next lookup takes another.
    await expect
      .poll(() => authenticator.authenticate(`Bearer ${text}`).catch(() => null), { timeout: 10_000 })
      .toMatchObject({ apiKeyId });
    await through.close();
    await proxy.close();
  });

  test('a fault of ours is no outage: it reaches the log', async () => {
    const bare = open(database.url.replace(/\/[^/]*$/, '/postgres'));
    const { text } = await create();
    await expect(authenticatorOn(bare).authenticate(`Bearer ${text}`)).rejects.toMatchObject({
      code: '42P01',
    });
    await bare.close();
  });
});

describe('the commands', () => {
  test('make a key that works, show it in a table without its secret, and revoke it', async () => {
    const text = await createKey(database.url, owner);
    const id = text.split('_')[1]!;
    expect(await authenticatorOn(postgres).authenticate(`Bearer ${text}`)).toMatchObject({ apiKeyId: id });
    const other = await createKey(database.url, { ...owner, userId: 'a-much-longer-name' });
    const table = (await tableOfKeys(database.url)).split('\n');
    expect(table[0]).toMatch(/^ID {16}USER {16}ROLES {5}PLAN {2}CREATED {19}REVOKED$/);
    expect(table).toHaveLength(3);
    expect(table.find((line) => line.startsWith(id))).toMatch(
      new RegExp(`^${id}  billing {13}producer  pro   \\d{4}-[-\\dT:.]+Z  -$`),
    );
    expect(table.join('\n')).not.toContain(text.split(`${id}_`)[1]);
    expect(await revokeKey(database.url, id)).toBe(id);
    await expect(authenticatorOn(postgres).authenticate(`Bearer ${text}`)).rejects.toMatchObject(refusal);
    const own = (await tableOfKeys(database.url, 'billing')).split('\n');
    expect(own).toHaveLength(2);
    expect(own[1]).toMatch(/Z {2}\d{4}-[-\dT:.]+Z$/);
    // A key that was found somewhere names itself.
    expect(await revokeKey(database.url, other)).toBe(other.split('_')[1]);
  });

  test('say in one line what is wrong', async () => {
    await expect(revokeKey(database.url, 'nope')).rejects.toThrow(/^There is no API key nope$/);
    await expect(createKey(database.url, { ...owner, userId: '', plan: '' })).rejects.toThrow(
      /^A user is 1 to 64 visible characters, without spaces, and not feed, commerce or notifications\nA plan is 1 to 64 characters$/,
    );
    await expect(tableOfKeys('postgresql://nobody@127.0.0.1:1/none')).rejects.toThrow(
      /^the database cannot be asked: .*ECONNREFUSED/,
    );
    await expect(tableOfKeys(database.url.replace(/\/[^/]*$/, '/nowhere'))).rejects.toThrow(
      /^the database cannot be asked: database "nowhere" does not exist$/,
    );
    await expect(tableOfKeys(database.url.replace(/\/[^/]*$/, '/postgres'))).rejects.toThrow(
      /^the database knows no API keys yet: run `tidings migrate`$/,
    );
  });
});
