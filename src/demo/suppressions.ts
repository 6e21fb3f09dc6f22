import type { SuppressionCause } from '../domains/notifications/index.js';
import type { DemoSettings } from './contacts.js';
import { FRIENDS } from './people.js';
import { seededRandom } from './random.js';
import { DAY } from './rhythm.js';

/** An entry of the suppression list. */
export type DemoSuppression = ReturnType<typeof makeSuppressions>[number];

const SHARE = 0.02;
/** As often as real lists have them: most addresses are simply gone. */
const CAUSES: readonly SuppressionCause[] = [
  ...Array<SuppressionCause>(6).fill('HARD_BOUNCE'),
  'COMPLAINT',
  'COMPLAINT',
  'SOFT_BOUNCES',
  'STOP',
];

/** Bounces, complaints and STOPs of the last two months, of a share of the users who are no friends. */
export function makeSuppressions(settings: readonly DemoSettings[], now: number) {
  const random = seededRandom(19);
  const friends = new Set<string>(FRIENDS.map(({ userId }) => userId));
  const numbers = new Set(settings.filter(({ userId }) => friends.has(userId)).map(({ phone }) => phone));
  return settings.flatMap(({ userId, email, phone }) => {
    if (friends.has(userId) || !random.chance(SHARE)) return [];
    const cause = random.pick(CAUSES);
    const createdAt = new Date(now - random.int(1, 60 * DAY));
    if (cause !== 'STOP') return { channel: 'email' as const, address: email, cause, createdAt };
    if (phone === null || numbers.has(phone)) return [];
    numbers.add(phone);
    return { channel: 'sms' as const, address: phone, cause, createdAt };
  });
}
