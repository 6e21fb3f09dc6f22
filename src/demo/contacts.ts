import { FRIENDS, type Person } from './people.js';
import { type Random, seededRandom } from './random.js';
import { HOUR, MINUTE } from './rhythm.js';

/** Where and how a user wants to be notified. */
export type DemoSettings = ReturnType<typeof makeSettings>[number];
export type DemoDevice = ReturnType<typeof makeDevices>[number];

interface Country {
  readonly language: string;
  readonly timezones: readonly string[];
  /** Makes a number in E.164, from ranges that are set aside for examples; null where the country has none. */
  readonly phone: ((random: Random) => string) | null;
}

const SHARE_WITH_SETTINGS = 0.4;
const digits = (random: Random, count: number): string =>
  String(random.int(0, 10 ** count - 1)).padStart(count, '0');

const unitedStates: Country = {
  language: 'en',
  timezones: ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'],
  phone: (random) => `+1${random.pick(['212', '312', '303', '415', '206', '512'])}55501${digits(random, 2)}`,
};
const countries: readonly Country[] = [
  unitedStates,
  unitedStates,
  { language: 'en', timezones: ['Europe/London'], phone: (random) => `+447700900${digits(random, 3)}` },
  {
    language: 'de',
    timezones: ['Europe/Berlin', 'Europe/Vienna'],
    phone: (random) => `+4917139200${digits(random, 2)}`,
  },
  { language: 'pt-BR', timezones: ['America/Sao_Paulo'], phone: null },
  { language: 'pt', timezones: ['Europe/Lisbon'], phone: null },
  {
    language: 'en',
    timezones: ['Australia/Sydney'],
    phone: (random) => `+61491570${random.pick(['006', '110', '156', '157', '158', '159'])}`,
  },
];

/** Settings of the friends, who can be reached at any hour on every channel, and of a share of the others. */
export function makeSettings(people: readonly Person[]) {
  const random = seededRandom(4);
  return people.flatMap(({ userId }, index) => {
    const isFriend = index < FRIENDS.length;
    if (!isFriend && !random.chance(SHARE_WITH_SETTINGS)) return [];
    const country = isFriend ? unitedStates : random.pick(countries);
    const quiet = !isFriend && random.chance(0.2);
    return {
      userId,
      email: `${userId}@${isFriend ? 'example.com' : random.pick(['example.com', 'example.org', 'example.net'])}`,
      phone: country.phone?.(random) ?? null,
      timezone: random.pick(country.timezones),
      language: country.language,
      /** Local times of day. */
      quietHours: quiet
        ? { start: random.pick(['22:00', '23:00']), end: random.pick(['06:30', '07:00']) }
        : null,
      marketingOptIn: isFriend || random.chance(0.85),
      digestFrequency: random.pick(['realtime', 'realtime', 'hourly', 'daily'] as const),
    };
  });
}

/** Alice's two phones. Apps register the others' tokens. */
export function makeDevices(now: number) {
  const { faker } = seededRandom(7);
  return [
    {
      userId: 'alice',
      deviceId: 'alice-iphone',
      platform: 'ios',
      deviceToken: faker.string.hexadecimal({ length: 64, prefix: '', casing: 'lower' }),
      appVersion: '4.2.0',
      lastSeenAt: new Date(now - 12 * MINUTE),
    },
    {
      userId: 'alice',
      deviceId: 'alice-android',
      platform: 'android',
      deviceToken: `${faker.string.alphanumeric(22)}:APA91b${faker.string.alphanumeric(134)}`,
      appVersion: '4.1.3',
      lastSeenAt: new Date(now - 20 * HOUR),
    },
  ];
}
