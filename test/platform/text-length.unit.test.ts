import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fanOutTask } from '../../src/domains/feed/fan-out/fan-out-task.js';
import { isUserId } from '../../src/domains/feed/graph/users.js';
import { processTask } from '../../src/domains/feed/media/media-task.js';
import { contentFault, keyFault } from '../../src/domains/feed/posts/faults.js';
import { checkMember } from '../../src/domains/notifications/grouping/member.js';
import { checkUsers } from '../../src/domains/notifications/segments/attributes.js';
import { checkPushOptions } from '../../src/domains/notifications/templates/push-options.js';
import { isName } from '../../src/domains/notifications/text.js';
import { isUserId as isUserIdOfToken } from '../../src/platform/auth/auth.js';
import { hasAtMost } from '../../src/platform/text.js';

const group = { key: 'post', actorId: 'ann', actorName: 'Ann' };

it('a text has at most so many characters where it has so many code points', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat(45), (text, most) => {
      expect(hasAtMost(text, most)).toBe([...text].length <= most);
    }),
  );
  for (const half of ['\ud83d', '\ude00', '\ude00\ud83d'])
    for (const most of [0, 1, 2]) expect(hasAtMost(half, most)).toBe([...half].length <= most);
});

/** Each takes its text, or not. */
it.each<[string, number, (text: string) => boolean]>([
  ['a post', 5_000, (content) => contentFault(content) === undefined],
  ['a comment', 2_000, (content) => contentFault(content, { of: 'comment', most: 2_000 }) === undefined],
  ['an idempotency key', 128, (key) => keyFault(key) === undefined],
  ['a user id of the feed', 64, isUserId],
  ['a user id of a token', 64, isUserIdOfToken],
  ['a user id of a fan-out', 64, (authorId) => fanOutTask.payload.safeParse({ authorId }).success],
  ['a user id of an upload', 64, (ownerId) => processTask.image.payload.safeParse({ ownerId }).success],
  ['a name or id of notifications', 64, (text) => isName(text, 64)],
  ['an actor’s name', 255, (actorName) => checkMember({ ...group, actorName }, undefined).length === 0],
  [
    'an attribute’s text',
    255,
    (text) => checkUsers([{ userId: 'ann', attributes: { city: text, tags: [text] } }]).length === 0,
  ],
  ['a push’s subtitle', 1_000, (subtitle) => checkPushOptions({ subtitle }, 'push', []).length === 0],
])('%s has up to %i characters, also if each takes two UTF-16 units', (_, most, takes) => {
  for (const character of ['a', 'é', '世', '🍕']) {
    expect(takes(character.repeat(most))).toBe(true);
    expect(takes(character.repeat(most + 1))).toBe(false);
  }
});
