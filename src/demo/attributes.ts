import { FRIENDS, type Person } from './people.js';
import { THEMES } from './post-texts.js';
import { type Random, seededRandom } from './random.js';
import { DAY } from './rhythm.js';

export type DemoAttributeType = (typeof ATTRIBUTE_TYPES)[number];
export type DemoAttributes = ReturnType<typeof makeAttributes>[number];

/** What the demo's shop knows of users. */
export const ATTRIBUTE_TYPES = [
  { name: 'plan', type: 'string' },
  { name: 'ordersPlaced', type: 'number' },
  { name: 'hasNewsletter', type: 'boolean' },
  { name: 'renewsAt', type: 'datetime' },
  { name: 'interests', type: 'strings' },
] as const;

/** The rest of all users have none: a question about theirs is answered with no. */
const SHARE_WITH_ATTRIBUTES = 0.7;
const FRIENDS_PLANS = ['pro', 'free', 'team', 'free', 'pro'];

/** Attributes of the friends and of most others. Who pays has a day at which the plan renews, in the year after `now`. */
export function makeAttributes(people: readonly Person[], now: number) {
  const random = seededRandom(11);
  return people.flatMap(({ userId, theme }, index) => {
    const isFriend = index < FRIENDS.length;
    if (!isFriend && !random.chance(SHARE_WITH_ATTRIBUTES)) return [];
    const plan = isFriend ? FRIENDS_PLANS[index]! : planOf(random);
    const interests = new Set([theme, random.pick(THEMES)]);
    const renewal = Math.floor(now / DAY + random.int(1, 365)) * DAY;
    const attributes = {
      plan,
      ordersPlaced: Math.floor(random.next() ** 3 * 40),
      hasNewsletter: random.chance(0.4),
      ...(plan !== 'free' && { renewsAt: new Date(renewal).toISOString() }),
      interests: [...interests],
    };
    return [{ userId, attributes }];
  });
}

function planOf(random: Random): string {
  const kind = random.next();
  if (kind < 0.8) return 'free';
  return kind < 0.95 ? 'pro' : 'team';
}
