import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Forgetful } from '../../src/domains/notifications/freshness.js';
import { createProfiles, type Profiles } from '../../src/domains/notifications/intake/profiles.js';
import { openPostgres, type Postgres, type Queryable } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { unique } from './notification-world.js';

let database: TestDatabase;
let postgres: Postgres;
let profiles: Profiles;
let cache: Forgetful;
/** What each statement asked for, and what holds up the next answers. */
let asked: string[][];
let gate: () => Promise<void>;
let now: number;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 5, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});
beforeEach(() => {
  asked = [];
  gate = async () => undefined;
  now = 1;
  const watched: Queryable = {
    async query(statement, values) {
      asked.push(values?.[0] as string[]);
      const [answer] = await Promise.all([postgres.query(statement, values), gate()]);
      return answer;
    },
  };
  const keep = (one: Forgetful): void => {
    cache = one;
  };
  profiles = createProfiles({
    postgres: watched,
    freshness: { keep, mayAnswer: () => true },
    now: () => now,
  });
});

const languageOf = async (userId: string, type = 'T'): Promise<string | null> =>
  (await profiles.load([userId], type)).get(userId)!.language;
const speak = (userId: string, language: string) =>
  postgres.query(
    `INSERT INTO user_notification_settings (user_id, timezone, language, marketing_opt_in) VALUES ($1, 'UTC', $2, true)
     ON CONFLICT (user_id) DO UPDATE SET language = excluded.language`,
    [userId, language],
  );
const switchOff = (userId: string, type: string, channel: string) =>
  postgres.query(
    'INSERT INTO user_notification_prefs (user_id, notification_type, channel, enabled) VALUES ($1, $2, $3, false)',
    [userId, type, channel],
  );

describe('profiles', () => {
  it('are what is stored of each user for the type, and the defaults of users who stored nothing', async () => {
    const [ann, nobody] = [unique('ann'), unique('nobody')];
    await speak(ann, 'de');
    await switchOff(ann, 'T', 'sms');
    await switchOff(ann, 'OTHER', 'push');
    const found = await profiles.load([ann, nobody, ann], 'T');
    expect([...found.keys()].toSorted()).toEqual([ann, nobody].toSorted());
    expect(found.get(ann)).toMatchObject({
      language: 'de',
      declined: { sms: 'CHANNEL_DISABLED' },
      hasDevice: false,
    });
    expect(found.get(nobody)).toEqual({
      userId: nobody,
      quietHoursStart: null,
      quietHoursEnd: null,
      timezone: 'UTC',
      language: null,
      marketingOptIn: true,
      digestFrequency: 'realtime',
      email: null,
      phone: null,
      declined: null,
      declinedDigests: null,
      hasDevice: false,
      suppressions: null,
    });
    expect((await profiles.load([ann], 'OTHER')).get(ann)?.declined).toEqual({ push: 'CHANNEL_DISABLED' });
  });

  it('are asked for once, the unknown too, and only those that are missing', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    await profiles.load([ann], 'T');
    await profiles.load([ann, bob], 'T');
    await profiles.load([bob, ann], 'T');
    expect(asked).toEqual([[ann], [bob]]);
    await profiles.load([ann], 'OTHER');
    expect(asked).toHaveLength(3);
  });

  it('are asked for at least every 300 seconds', async () => {
    const ann = unique('ann');
    await speak(ann, 'de');
    expect(await languageOf(ann)).toBe('de');
    await speak(ann, 'fr');
    now += 300_000;
    expect(await languageOf(ann)).toBe('de');
    now += 1;
    expect(await languageOf(ann)).toBe('fr');
  });

  it('are asked for anew of a user who changed something, for every type, and of nobody else', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    await profiles.load([ann, bob], 'T');
    await profiles.load([ann], 'OTHER');
    await speak(ann, 'de');
    cache.forgetUser?.(ann);
    expect([await languageOf(ann, 'T'), await languageOf(ann, 'OTHER')]).toEqual(['de', 'de']);
    asked = [];
    await languageOf(bob);
    expect(asked).toEqual([]);
    cache.forgetAll();
    await languageOf(bob);
    expect(asked).toEqual([[bob]]);
  });

  it('of all callers of one moment are read at once, each for its type', async () => {
    const users = Array.from({ length: 50 }, () => unique('user'));
    await switchOff(users[7]!, 'ODD', 'push');
    await switchOff(users[8]!, 'ODD', 'push');
    const found = await Promise.all(
      users.map(async (userId, n) => (await profiles.load([userId], n % 2 ? 'ODD' : 'EVEN')).get(userId)!),
    );
    expect(asked).toEqual([users]);
    expect(found.map(({ userId }) => userId)).toEqual(users);
    expect(found.flatMap(({ declined }, n) => (declined ? [n] : []))).toEqual([7]);
  });

  it('are not asked for twice while they are on their way', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = () => promise;
    const first = profiles.load([ann], 'T');
    const second = profiles.load([ann, bob], 'T');
    resolve();
    expect([...(await first).keys()]).toEqual([ann]);
    expect([...(await second).keys()].toSorted()).toEqual([ann, bob].toSorted());
    expect(asked.flat().toSorted()).toEqual([ann, bob].toSorted());
  });

  it('that were on their way when their user changed something are not kept, and nobody joins them', async () => {
    const ann = unique('ann');
    await speak(ann, 'de');
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = () => promise;
    const early = languageOf(ann);
    await expect.poll(() => asked.length).toBe(1);
    gate = async () => undefined;
    await speak(ann, 'fr');
    cache.forgetUser?.(ann);
    expect(await languageOf(ann)).toBe('fr');
    resolve();
    await early;
    expect(await languageOf(ann)).toBe('fr');
    expect(asked).toHaveLength(2);
  });

  it('that are fetched ahead are asked for once, and kept for one load', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    await languageOf(bob);
    profiles.prefetch([ann, bob], 'T');
    await languageOf(ann);
    await languageOf(bob);
    expect(asked).toEqual([[bob], [ann]]);
    await languageOf(ann);
    expect(asked).toEqual([[bob], [ann], [ann]]);
  });

  it('that are fetched ahead are asked for anew of a user who changed something meanwhile', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    profiles.prefetch([ann, bob], 'T');
    await languageOf(bob);
    await speak(ann, 'de');
    cache.forgetUser?.(ann);
    expect(await languageOf(ann)).toBe('de');
    expect(asked).toEqual([[ann, bob], [ann]]);
  });

  it('that could not be read are asked for again', async () => {
    const ann = unique('ann');
    gate = async () => {
      throw new Error('down');
    };
    await expect(Promise.all([languageOf(ann), languageOf(ann)])).rejects.toThrow('down');
    gate = async () => undefined;
    expect(await languageOf(ann)).toBeNull();
  });

  it('of a user with very many types are right all the same', async () => {
    const ann = unique('ann');
    await switchOff(ann, 'T7', 'email');
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 50; n += 1) {
        const { declined } = (await profiles.load([ann], `T${n}`)).get(ann)!;
        expect(declined).toEqual(n === 7 ? { email: 'CHANNEL_DISABLED' } : null);
      }
    }
  });
});
