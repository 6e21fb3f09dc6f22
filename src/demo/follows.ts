import { FRIENDS, type Person } from './people.js';
import { THEMES, type Theme } from './post-texts.js';
import { type Random, seededRandom, weightedIndex } from './random.js';

/** Whom each person follows, by their places in the list of people; indexed by follower. */
export type FollowGraph = readonly FollowedBy[];

/** Ascending places; `since` holds milliseconds since the epoch, at the same indexes. */
export interface FollowedBy {
  readonly followees: readonly number[];
  readonly since: readonly number[];
}

const FOLLOWS_OF_A_FRIEND = 150;
const LEAST_FOLLOWS = 10;
const MOST_FOLLOWS = 1_500;
/** The power law's exponent: with it people follow about 27 others on average. */
const FOLLOWS_EXPONENT = 1.6;
const FOLLOWS_A_CELEBRITY = 0.9;
const STAYS_IN_THEME = 0.4;

/** A power-law graph: few follow very many, and few are followed by very many; celebrities by most. */
export function makeFollows(people: readonly Person[], now: number): FollowGraph {
  const random = seededRandom(2);
  const pick = followeePicker(people, random);
  return people.map((person, index) => {
    const chosen = new Set<number>([...certainFollowees(people, index, random)]);
    const wanted = chosen.size + (index < FRIENDS.length ? FOLLOWS_OF_A_FRIEND : howMany(random));
    // Popular people are drawn again and again: a bounded number of draws ends the search.
    for (let draws = 3 * wanted; draws > 0 && chosen.size < wanted; draws -= 1) {
      const followee = pick(person.theme);
      if (followee !== index) chosen.add(followee);
    }
    const followees = [...chosen].sort((a, b) => a - b);
    return { followees, since: followees.map((followee) => since(person, people[followee]!, now, random)) };
  });
}

/** How many followers each person has, by place. */
export function countFollowers(graph: FollowGraph): Int32Array {
  const counts = new Int32Array(graph.length);
  for (const { followees } of graph) for (const followee of followees) counts[followee]! += 1;
  return counts;
}

/** The friends follow each other; most people follow the celebrities, who follow each other. */
function* certainFollowees(people: readonly Person[], index: number, random: Random): Iterable<number> {
  const { isCelebrity } = people[index]!;
  for (let other = 0; other < people.length && other <= FRIENDS.length + 2; other += 1) {
    if (other === index) continue;
    const isFriends = index < FRIENDS.length && other < FRIENDS.length;
    const followsCelebrity =
      people[other]!.isCelebrity && (isCelebrity || random.chance(FOLLOWS_A_CELEBRITY));
    if (isFriends || followsCelebrity) yield other;
  }
}

const howMany = (random: Random): number =>
  Math.min(MOST_FOLLOWS, Math.floor(LEAST_FOLLOWS * (1 - random.next()) ** (-1 / FOLLOWS_EXPONENT)));

/** Draws by popularity, from everybody or from those who share a theme. Celebrities are not drawn here. */
function followeePicker(people: readonly Person[], random: Random): (theme: Theme) => number {
  const weight = (person: Person) => (person.isCelebrity ? 0 : person.popularity);
  const fromAll = weightedIndex(people.map(weight), random);
  const fromTheme = new Map(
    THEMES.map((theme) => [
      theme,
      weightedIndex(
        people.map((person) => (person.theme === theme ? weight(person) : 0)),
        random,
      ),
    ]),
  );
  return (theme) => (random.chance(STAYS_IN_THEME) ? fromTheme.get(theme)!() : fromAll());
}

/** Some time after both had joined. */
function since(follower: Person, followee: Person, now: number, random: Random): number {
  const possible = Math.max(follower.createdAt, followee.createdAt);
  return possible + Math.floor(random.next() * (now - possible));
}
