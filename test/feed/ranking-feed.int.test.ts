import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createRankingProjector } from '../../src/projectors/feed-ranking.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld();
  for (const userId of ['ann', 'ben', 'cat', 'dan']) await world.feed.signIn(userId);
  for (const reader of ['ann', 'dan'])
    for (const author of ['ben', 'cat']) await world.feed.followUser(callerOf(reader), author);
});
afterAll(() => world.close());

/** Of one length: what is near to identical would be dropped. */
const contents = { ben: 'The harbour was quiet at dawn. ', cat: 'My new bicycle has no brakes!! ' };

async function publish(author: keyof typeof contents): Promise<string> {
  const content = contents[author].repeat(6);
  const result = await world.feed.publishPost(callerOf(author), { content, visibility: 'public' });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value.postId;
}
const readRanked = async (reader: string) =>
  (
    await world.feed.readFeed(viewerOf(reader), {
      order: 'RANKED',
      page: { limit: 10, direction: 'forward', cursor: null },
    })
  ).edges;

it('puts those first with whom a reader deals, for this reader, and says that this is why', async () => {
  const answered = await publish('ben');
  await world.feed.engagement.addComment(callerOf('ann'), { postId: answered, content: 'well said' });
  await world.feed.engagement.reactToPost(callerOf('ann'), answered, 'LOVE');
  await createRankingProjector(world).apply(await world.log.readStream(`Post-${answered}`), world.postgres);
  expect(await world.feed.ranking.recordSignals('ann', [{ kind: 'DIRECT_MESSAGE', userId: 'ben' }])).toEqual({
    ok: true,
    value: 1,
  });
  await world.feed.deletePost(callerOf('ben'), answered);
  const [ofBen, ofCat] = [await publish('ben'), await publish('cat')];
  await world.fanOut(ofBen, ofCat);

  // A read that would have to wait goes without affinities.
  const ofAnn = await vi.waitFor(async () => {
    const edges = await readRanked('ann');
    expect(edges.map(({ node }) => node.postId)).toEqual([ofBen, ofCat]);
    return edges;
  }, 10_000);
  expect((await readRanked('dan')).map(({ node }) => node.postId)).toEqual([ofCat, ofBen]);

  const { terms, score } = ofAnn[0]!.why;
  expect(score).toBeCloseTo(
    terms.reduce((sum, { weight, value }) => sum + weight * value, 0),
    9,
  );
  // A comment 3, a reaction 1, a message 7.
  expect(terms.find(({ name }) => name === 'affinity')!.value).toBeCloseTo(11 / 21, 3);
});
