import { FRIENDS, type Person } from './people.js';
import { writePost } from './post-texts.js';
import { type Random, seededRandom, weightedIndex } from './random.js';
import { dayAndNight } from './rhythm.js';

/** A post of the demo, but for its place in the log. */
export interface DemoPost {
  /** UUIDv7 whose time part is `createdAt`. */
  readonly postId: string;
  /** The author's place in the list of people. */
  readonly author: number;
  readonly content: string;
  readonly visibility: 'public' | 'followers';
  readonly likes: number;
  readonly comments: number;
  readonly shares: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export const POSTS = 20_000;
const DAYS = 7;
const HALF_OF_THE_LIKES_AFTER_DAYS = 0.25;
/** The exponent that levels popularity: the most followed does not write without end. */
const WRITES_AS_FOLLOWED = 0.7;
const POSTS_OF_A_CELEBRITY = 60;
const POSTS_OF_A_FRIEND = 25;

/**
 * Posts of the last seven days, oldest first; those of one millisecond by id.
 *
 * @param followers how many followers each person has, by place
 */
export function makePosts(
  people: readonly Person[],
  followers: ArrayLike<number>,
  now: number,
): readonly DemoPost[] {
  const random = seededRandom(3);
  const drawAuthor = weightedIndex(authorWeights(people), random);
  const timeOf = dayAndNight(now, DAYS);
  const ages = Array.from({ length: POSTS }, () => random.next()).sort((a, b) => b - a);
  return ages
    .map((age): DemoPost => {
      const author = drawAuthor();
      const createdAt = timeOf(1 - age);
      const postId = uuidV7(createdAt, random);
      return {
        postId,
        author,
        content: writePost(people[author]!.theme, random),
        visibility: random.chance(0.92) ? 'public' : 'followers',
        ...reactions(followers[author]!, age * DAYS, random),
        createdAt,
      };
    })
    .sort((a, b) => a.createdAt - b.createdAt || (a.postId < b.postId ? -1 : 1));
}

/** Authors with many followers write many posts; celebrities and the friends write the most. */
function authorWeights(people: readonly Person[]): number[] {
  const weights = people.map(({ popularity }) => popularity ** WRITES_AS_FOLLOWED);
  const perPost = weights.reduce((sum, weight) => sum + weight, 0) / POSTS;
  return weights.map((weight, index) => {
    if (people[index]!.isCelebrity) return POSTS_OF_A_CELEBRITY * perPost;
    return index < FRIENDS.length ? POSTS_OF_A_FRIEND * perPost : weight;
  });
}

/** Most followers never react; a few posts do far better than the rest; likes gather within a day. */
function reactions(followers: number, ageDays: number, random: Random) {
  const seen = 1 - 0.5 ** (ageDays / HALF_OF_THE_LIKES_AFTER_DAYS);
  const appeal = 0.005 + 0.12 * random.next() ** 3;
  const likes = Math.round((followers + 12) * appeal * seen);
  return {
    likes,
    comments: Math.round(likes * random.next() * 0.2),
    shares: Math.round(likes * random.next() * 0.1),
  };
}

/** The version and variant bits of RFC 9562 around the millisecond and 74 drawn bits. */
export function uuidV7(at: number, random: Random): string {
  const time = at.toString(16).padStart(12, '0');
  const a = (0x7000 + random.int(0, 0xfff)).toString(16);
  const b = (0x8000 + random.int(0, 0x3fff)).toString(16);
  const c = random.int(0, 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-${a}-${b}-${c}`;
}
