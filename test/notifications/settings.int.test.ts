import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findSettings,
  type SettingsChange,
  updateSettings,
} from '../../src/domains/notifications/preferences/settings.js';
import { systemClock } from '../../src/platform/clock.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { unique } from './notification-world.js';

let database: TestDatabase;
let postgres: Postgres;
const told: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 10, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

const change = (userId: string, to: SettingsChange) =>
  updateSettings(
    { postgres, clock: systemClock, freshness: { userChanged: async (id) => void told.push(id) } },
    userId,
    to,
  );
const settingsOf = (userId: string) => findSettings(postgres, userId);

const DEFAULTS = {
  quietHoursStart: null,
  quietHoursEnd: null,
  timezone: 'UTC',
  language: null,
  marketingOptIn: true,
  digestFrequency: 'realtime',
  email: null,
  phone: null,
};
const CHANGED = {
  quietHoursStart: '22:00',
  quietHoursEnd: '07:30',
  timezone: 'America/New_York',
  language: 'pt-BR',
  marketingOptIn: false,
  digestFrequency: 'daily',
  email: 'ann@example.com',
  phone: '+4915112345678',
} as const;

describe('settings', () => {
  it('are the defaults until something is set, and again where null clears it', async () => {
    const userId = unique('user');
    expect(await settingsOf(userId)).toEqual({ ...DEFAULTS, updatedAt: null });
    await change(userId, CHANGED);
    expect(await settingsOf(userId)).toEqual({ ...CHANGED, updatedAt: expect.any(Date) });
    await change(userId, Object.fromEntries(Object.keys(CHANGED).map((key) => [key, null])));
    expect(await settingsOf(userId)).toEqual({ ...DEFAULTS, updatedAt: expect.any(Date) });
  });

  it('keep what a change does not name', async () => {
    const userId = unique('user');
    await change(userId, CHANGED);
    for (const to of [
      { language: 'de' },
      { digestFrequency: 'hourly' },
      { timezone: undefined },
      {},
    ] as const)
      await change(userId, to);
    expect(await settingsOf(userId)).toMatchObject({ ...CHANGED, language: 'de', digestFrequency: 'hourly' });
  });

  it('have both ends of quiet hours or none', async () => {
    const userId = unique('user');
    const incomplete = (end: string) => ({
      ok: false,
      errors: [{ code: 'QUIET_HOURS_INCOMPLETE', path: ['input', end] }],
    });
    expect(await change(userId, { quietHoursStart: '22:00' })).toMatchObject(incomplete('quietHoursEnd'));
    expect(await change(userId, { quietHoursEnd: '07:00' })).toMatchObject(incomplete('quietHoursStart'));
    await change(userId, { quietHoursStart: '22:00', quietHoursEnd: '07:00' });
    expect(await change(userId, { quietHoursEnd: '08:00' })).toMatchObject({ ok: true });
    expect(await change(userId, { quietHoursStart: null })).toMatchObject(incomplete('quietHoursStart'));
    expect(await change(userId, { quietHoursEnd: null })).toMatchObject(incomplete('quietHoursEnd'));
    expect(await settingsOf(userId)).toMatchObject({ quietHoursStart: '22:00', quietHoursEnd: '08:00' });
    expect(await change(userId, { quietHoursStart: null, quietHoursEnd: null })).toMatchObject({ ok: true });
    expect(await settingsOf(userId)).toMatchObject({ quietHoursStart: null, quietHoursEnd: null });
  });

  it('are refused with every fault at once, and then nothing is changed or published', async () => {
    const userId = unique('user');
    const refused = await change(userId, {
      quietHoursStart: '22:00',
      timezone: '+02:00',
      language: 'Klingon!',
      email: 'ann@localhost',
      phone: '0151 123',
    });
    expect(refused).toMatchObject({ ok: false });
    if (refused.ok) throw new Error('accepted');
    expect(refused.errors.map(({ code, path }) => `${code} ${path?.join('.')}`)).toEqual([
      'QUIET_HOURS_INCOMPLETE input.quietHoursEnd',
      'TIMEZONE_UNKNOWN input.timezone',
      'LANGUAGE_INVALID input.language',
      'EMAIL_INVALID input.email',
      'PHONE_INVALID input.phone',
    ]);
    expect(await settingsOf(userId)).toEqual({ ...DEFAULTS, updatedAt: null });
    expect(told).not.toContain(userId);
    await change(userId, { language: 'de' });
    expect(told).toContain(userId);
  });

  it('that are changed at once are all changed, also a user’s very first', async () => {
    for (let round = 0; round < 20; round++) {
      const userId = unique('user');
      const { quietHoursStart, quietHoursEnd, ...others } = CHANGED;
      const changes = Object.entries(others).map(([key, value]) => change(userId, { [key]: value }));
      await Promise.all([...changes, change(userId, { quietHoursStart, quietHoursEnd })]);
      expect(await settingsOf(userId)).toMatchObject(CHANGED);
    }
  });
});
