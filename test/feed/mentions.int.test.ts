import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noticeEvents, type SendFeedMessage } from '../../src/domains/feed/index.js';
import { mentionsIn } from '../../src/domains/feed/posts/mentions.js';
import { createRankingProjector } from '../../src/projectors/feed-ranking.js';
import { callerOf, type FeedWorld, openFeedWorld, silent } from './feed-world.js';

let world: FeedWorld;
let told: string[] = [];
let passed = 0;
beforeAll(async () => {
  world = await openFeedWorld();
  for (const userId of ['ann', 'ben', 'cat', 'dan', 'eve']) await world.feed.signIn(userId);
});
afterAll(() => world?.close());
beforeEach(async () => {
  passed = await world.log.head();
  told = [];
});

/** What the projector and the job make of what happened since the last time: who is notified of being mentioned. */
async function tell(): Promise<string[]> {
  const { engagement } = world.feed;
  const { events, through } = await world.log.readAll(passed, 1_000, { types: [...noticeEvents.types] });
  await world.postgres.transaction((tx) => engagement.addNotices(tx, events));
  passed = through;
  const send: SendFeedMessage = async (_, { type, recipients }) => {
    if (type === 'USER_MENTIONED') told.push(...recipients.map(({ userId }) => userId));
    return { ok: true, value: { requestId: 'request' } };
  };
  await engagement.sendNotices(
    { send, withdraw: async () => undefined },
    silent,
    new AbortController().signal,
  );
  return told.splice(0).toSorted();
}

async function publish(content: string, visibility: 'public' | 'followers' | 'private' = 'public') {
  const result = await world.feed.publishPost(callerOf('ann'), { content, visibility });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value.postId;
}
const edit = (postId: string, content: string) => world.feed.editPost(callerOf('ann'), { postId, content });

describe('a mention', () => {
  it.each([
    ['hello @ben', ['ben']],
    ['@ben, @cat. (@dan-) @ben', ['ben', 'cat', 'dan']],
    ['mail ben@example.com, see https://example.com/@ben and @@ben', []],
    ['@élan_7 @ann.b', ['élan_7', 'ann.b']],
    ['@ @! @-', []],
    [Array.from({ length: 20 }, (_, i) => `@u${i}`).join(' '), Array.from({ length: 10 }, (_, i) => `u${i}`)],
  ])('is found in %j', (text, users) => {
    expect(mentionsIn(text)).toEqual(users);
  });

  it('in a post notifies whom it names once, also when the post is edited', async () => {
    const postId = await publish('With @ben, @nobody, @ann');
    expect(await tell()).toEqual(['ben']);
    await edit(postId, 'With @ben and @cat');
    expect(await tell()).toEqual(['cat']);
    await edit(postId, 'With nobody');
    await edit(postId, 'With @ben and @cat again');
    expect(await tell()).toEqual([]);
  });

  it('is for ten people a post, however often it is edited', async () => {
    const crowd = Array.from({ length: 15 }, (_, i) => `crowd${i}`);
    for (const userId of crowd) await world.feed.signIn(userId);
    const at = (users: string[]) => users.map((userId) => `@${userId}`).join(' ');
    const postId = await publish(at(crowd.slice(0, 8)));
    await edit(postId, at(crowd.slice(8)));
    expect(await tell()).toEqual(crowd.slice(0, 10).toSorted());
  });

  it('notifies nobody who may not see the post, muted or is blocked by its author, or muted a word of it', async () => {
    await publish('Private, @ben', 'private');
    await publish('For followers, @ben', 'followers');
    expect(await tell()).toEqual([]);
    await world.feed.muteUser(callerOf('cat'), 'ann');
    await world.feed.blockUser(callerOf('ann'), 'dan');
    await world.feed.setMutedKeywords(callerOf('eve'), ['football']);
    await publish('Football with @ben @cat @dan @eve');
    expect(await tell()).toEqual(['ben']);
    await world.feed.unmuteUser(callerOf('cat'), 'ann');
    await world.feed.unblockUser(callerOf('ann'), 'dan');
  });

  it('in a comment notifies whom it names, but for those who hear of the comment anyway', async () => {
    const postId = await publish('A post');
    const comment = async (userId: string, content: string, replyToId?: string) => {
      const added = await world.feed.engagement.addComment(callerOf(userId), {
        postId,
        content,
        replyToId: replyToId ?? null,
      });
      if (!added.ok) throw new Error(JSON.stringify(added.errors));
      return added.value;
    };
    const first = await comment('ben', 'What do you say, @ann and @cat?');
    expect(await tell()).toEqual(['cat']);
    await comment('cat', 'Yes, @ben and @dan', first);
    expect(await tell()).toEqual(['dan']);
  });

  it('brings its author closer to whom it names, as a tag does', async () => {
    const closeness = async () => {
      const { rows } = await world.postgres.query<{ score: number }>(
        `SELECT score FROM affinities WHERE user_id = (SELECT id FROM users WHERE user_id = 'ann')
           AND author_id = (SELECT id FROM users WHERE user_id = 'eve')`,
      );
      return rows[0]?.score ?? 0;
    };
    const projector = createRankingProjector(world);
    const before = await closeness();
    const postId = await publish('With @eve');
    await edit(postId, 'With @eve!');
    const { events } = await world.log.readAll(passed, 1_000, { types: [...projector.eventTypes!] });
    await world.postgres.transaction((tx) => projector.apply(events, tx));
    expect((await closeness()) - before).toBeCloseTo(4, 1);
  });
});
