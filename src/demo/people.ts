import { THEMES, type Theme } from './post-texts.js';
import { type Random, seededRandom } from './random.js';
import { DAY, HOUR, MINUTE } from './rhythm.js';

interface Known {
  readonly userId: string;
  readonly displayName: string;
  /** What the person mostly writes about and follows. */
  readonly theme: Theme;
}

/** A user of the demo. Its place in the list stands for it in edges and posts. */
export interface Person extends Known {
  readonly avatarUrl: string;
  readonly isCelebrity: boolean;
  /** How likely others are to follow; falls with the rank by a power law. */
  readonly popularity: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly lastSeenAt: number;
}

export const PEOPLE = 12_000;
const POPULARITY_EXPONENT = 0.7;

/** Ordinary users by whose names guides speak. They follow each other. */
export const FRIENDS: readonly Known[] = [
  { userId: 'alice', displayName: 'Alice Moreau', theme: 'cooking' },
  { userId: 'bob', displayName: 'Bob Okafor', theme: 'software' },
  { userId: 'carol', displayName: 'Carol Nguyen', theme: 'travel' },
  { userId: 'dave', displayName: 'Dave Lindholm', theme: 'running' },
  { userId: 'erin', displayName: 'Erin Castillo', theme: 'books' },
];

const CELEBRITIES: readonly Known[] = [
  { userId: 'nova.reyes', displayName: 'Nova Reyes', theme: 'music' },
  { userId: 'kenji.sato', displayName: 'Kenji Sato', theme: 'cooking' },
  { userId: 'stella.brandt', displayName: 'Stella Brandt', theme: 'running' },
];

/**
 * Everybody, the friends first, then the celebrities; user ids are unique.
 *
 * @param now milliseconds since the epoch, from which all times count back
 */
export function makePeople(now: number): readonly Person[] {
  const random = seededRandom(1);
  const known = [...FRIENDS, ...CELEBRITIES];
  const ranks = shuffledRanks(PEOPLE - known.length, random);
  const taken = new Set(known.map(({ userId }) => userId));
  return Array.from({ length: PEOPLE }, (_, index): Person => {
    const who = known[index] ?? makeUp(random, taken);
    const rank = known[index] ? 40 + 20 * index : ranks[index - known.length]!;
    const isKnown = index < known.length;
    return {
      ...who,
      avatarUrl: `https://cdn.example.com/avatars/${who.userId}.jpg`,
      isCelebrity: index >= FRIENDS.length && isKnown,
      popularity: rank ** -POPULARITY_EXPONENT,
      createdAt: now - Math.floor((isKnown ? 900 : 31 + random.next() ** 0.7 * 860) * DAY),
      lastSeenAt: now - (isKnown ? random.int(1, 55) * MINUTE : sinceLastSeen(random)),
    };
  });
}

/** How long ago, in milliseconds: 80 % within seven days, 8 % over thirty. */
function sinceLastSeen(random: Random): number {
  const kind = random.next();
  if (kind < 0.8) return Math.floor(random.next() ** 2.5 * 7 * DAY) + MINUTE;
  if (kind < 0.92) return random.int(7 * 24, 30 * 24 - 1) * HOUR;
  return random.int(31 * 24, 240 * 24) * HOUR;
}

function makeUp({ faker, ...random }: Random, taken: Set<string>): Known {
  const firstName = faker.person.firstName();
  const lastName = faker.person.lastName();
  const userId = freeName(faker.internet.username({ firstName, lastName }), taken);
  taken.add(userId);
  return { userId, displayName: `${firstName} ${lastName}`, theme: random.pick(THEMES) };
}

function freeName(username: string, taken: ReadonlySet<string>): string {
  const name = username.toLowerCase().replace(/[^a-z0-9._-]/g, '');
  let free = name;
  for (let n = 2; taken.has(free); n += 1) free = `${name}${n}`;
  return free;
}

function shuffledRanks(count: number, random: Random): number[] {
  const ranks = Array.from({ length: count }, (_, index) => index + 1);
  return random.faker.helpers.shuffle(ranks);
}
