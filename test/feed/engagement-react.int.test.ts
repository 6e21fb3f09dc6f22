import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReactionKind } from '../../src/domains/feed/types.js';
import { callerOf, type EngagementWorld, openEngagementWorld } from './engagement-world.js';

let world: EngagementWorld;
beforeAll(async () => {
  world = await openEngagementWorld();
  await world.users('ann', 'ben', 'cat', 'dan');
});
afterAll(() => world.close());

const react = (userId: string, postId: string, kind: ReactionKind = 'LIKE') =>
  world.engagement.reactToPost(callerOf(userId), postId, kind);
const unreact = (userId: string, postId: string, kind?: ReactionKind) =>
  world.engagement.removeReaction(callerOf(userId), postId, kind);
const countsOf = async (postId: string) => (await world.engagement.counts.of([postId]))[0];
const eventsOf = async (postId: string) =>
  (await world.log.readStream(`Post-${postId}`)).map((event) => event.type);

describe('a reaction', () => {
  it('counts once, however often it is given, and is one event', async () => {
    const post = await world.post('ann');
    await Promise.all([1, 2, 3].map(() => react('ben', post)));
    expect(await countsOf(post)).toMatchObject({ reactions: { LIKE: 1 } });
    expect(await eventsOf(post)).toEqual(['PostReacted']);
  });

  it('replaces the same person’s earlier one', async () => {
    const post = await world.post('ann');
    await react('ben', post, 'LIKE');
    await react('ben', post, 'ANGRY');
    expect(await countsOf(post)).toMatchObject({ reactions: { LIKE: 0, ANGRY: 1 } });
    expect(await countsOf(post)).toEqual(await world.countRows(post));
    const mine = await world.engagement.viewerReactions(callerOf('ben').viewer, [post]);
    expect(mine.get(post)).toBe('ANGRY');
  });

  it('is taken back once; taking back a like leaves another kind', async () => {
    const post = await world.post('ann');
    await react('ben', post, 'LOVE');
    expect(await unreact('ben', post, 'LIKE')).toEqual({ ok: true, value: null });
    expect(await countsOf(post)).toMatchObject({ reactions: { LOVE: 1 } });
    await Promise.all([unreact('ben', post), unreact('ben', post)]);
    expect(await countsOf(post)).toMatchObject({ reactions: { LOVE: 0, LIKE: 0 } });
    expect(await eventsOf(post)).toEqual(['PostReacted', 'ReactionRemoved']);
  });

  it('is taken back also where its post is out of sight by now', async () => {
    await world.users('eve');
    const forFollowers = await world.post('ann', { visibility: 'followers' });
    const ofBlocking = await world.post('dan');
    const deleted = await world.post('cat');
    await world.follow('eve', 'ann');
    for (const postId of [forFollowers, ofBlocking, deleted]) await react('eve', postId, 'WOW');
    await world.postgres.query(
      'DELETE FROM follows WHERE follower_id = (SELECT id FROM users WHERE user_id = $1)',
      ['eve'],
    );
    await world.block('dan', 'eve');
    await world.postgres.query('UPDATE posts SET deleted_at = now() WHERE post_id = $1', [deleted]);
    for (const postId of [forFollowers, ofBlocking, deleted]) {
      expect(await react('eve', postId, 'LIKE')).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
      expect(await unreact('eve', postId, 'LIKE')).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
      expect(await countsOf(postId)).toMatchObject({ reactions: { WOW: 1, LIKE: 0 } });
      expect(await unreact('eve', postId)).toEqual({ ok: true, value: null });
      expect(await countsOf(postId)).toMatchObject({ reactions: { WOW: 0, LIKE: 0 } });
      expect(await eventsOf(postId)).toEqual(['PostReacted', 'ReactionRemoved']);
      expect(await unreact('eve', postId)).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
    }
  });

  it('of a post that one may not see is one of a post that does not exist', async () => {
    const hidden = await world.post('ann', { visibility: 'private' });
    const forFollowers = await world.post('ann', { visibility: 'followers' });
    const deleted = await world.post('ann');
    await world.postgres.query('UPDATE posts SET deleted_at = now() WHERE post_id = $1', [deleted]);
    await world.block('dan', 'cat');
    const ofBlocked = await world.post('dan');
    const byBlocked = await world.post('cat');
    const gone = { ok: false, errors: [{ code: 'NOT_FOUND', path: ['input', 'postId'] }] };
    for (const change of [react, unreact]) {
      for (const postId of [hidden, forFollowers, deleted, randomUUID(), 'no id'])
        expect(await change('ben', postId)).toMatchObject(gone);
      expect(await change('cat', ofBlocked)).toMatchObject(gone);
      expect(await change('dan', byBlocked)).toMatchObject(gone);
    }
    await world.follow('ben', 'ann');
    expect(await react('ben', forFollowers)).toMatchObject({ ok: true });
    expect(await react('ann', hidden)).toMatchObject({ ok: true });
  });
});

describe('who reacted', () => {
  const all = { limit: 2, direction: 'forward', cursor: null } as const;
  const names = (page: { edges: readonly { node: { user: { userId: string } } }[] }) =>
    page.edges.map((edge) => edge.node.user.userId);

  it('is paged newest first, there and back, and by kind', async () => {
    await world.users('p1', 'p2', 'p3');
    const post = await world.post('ann');
    await react('p1', post);
    await react('p2', post, 'WOW');
    await react('p3', post);
    const { viewer } = callerOf('ann');
    const [first] = await world.engagement.pageReactions(viewer, [post], null, all);
    expect(names(first!)).toEqual(['p3', 'p2']);
    expect(first!.pageInfo.hasNextPage).toBe(true);
    const cursor = first!.pageInfo.endCursor;
    const [second] = await world.engagement.pageReactions(viewer, [post], null, { ...all, cursor });
    expect(names(second!)).toEqual(['p1']);
    const [back] = await world.engagement.pageReactions(viewer, [post], null, {
      limit: 5,
      direction: 'backward',
      cursor: second!.pageInfo.startCursor,
    });
    expect(names(back!)).toEqual(['p3', 'p2']);
    const [likes] = await world.engagement.pageReactions(null, [post], 'LIKE', all);
    expect(names(likes!)).toEqual(['p3', 'p1']);
  });

  it('leaves out users who are blocked either way, though they count', async () => {
    await world.users('q1', 'q2', 'q3');
    const post = await world.post('ann');
    for (const userId of ['q1', 'q2', 'q3']) await react(userId, post);
    await world.block('q1', 'q2');
    const seenBy = async (userId: string) =>
      names(
        (
          await world.engagement.pageReactions(callerOf(userId).viewer, [post], null, { ...all, limit: 9 })
        )[0]!,
      );
    expect(await seenBy('q1')).toEqual(['q3', 'q1']);
    expect(await seenBy('q2')).toEqual(['q3', 'q2']);
    expect(await seenBy('q3')).toEqual(['q3', 'q2', 'q1']);
    expect(await countsOf(post)).toMatchObject({ reactions: { LIKE: 3 } });
  });
});
