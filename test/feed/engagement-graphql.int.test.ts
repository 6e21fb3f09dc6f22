import { type GraphQLSchema, graphql } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeEach } from '../../src/platform/redis/many-keys.js';
import { createEngagementProjectors } from '../../src/projectors/feed-engagement.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { toGlobalId } from '../../src/schema/relay.js';
import { keysLike, valueLike } from '../support/redis.js';
import { callerOf } from './engagement-world.js';
import { type FeedWorld, openFeedWorld } from './feed-world.js';

let world: FeedWorld;
let schema: GraphQLSchema;
let postId: string;
beforeAll(async () => {
  [world, schema] = await Promise.all([openFeedWorld(), buildApiSchema()]);
  for (const userId of ['ann', 'ben', 'cat']) await world.feed.signIn(userId);
});
beforeEach(async () => {
  postId = await published('ann', 'hello');
});
afterAll(() => world.close());

async function published(userId: string, content: string): Promise<string> {
  const result = await world.feed.publishPost(callerOf(userId), { content, visibility: 'public' });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value.postId;
}

// biome-ignore lint/suspicious/noExplicitAny: what a query answers is what the test asked for
async function ask(userId: string | null, source: string, variableValues: object = {}): Promise<any> {
  const app = { feed: world.feed } as Parameters<typeof createLoaders>[0];
  const viewer = userId === null ? null : callerOf(userId).viewer;
  const contextValue = { app, viewer, loaders: createLoaders(app, viewer), correlationId: 'test' };
  const result = await graphql({
    schema,
    source,
    variableValues: variableValues as Record<string, unknown>,
    contextValue,
  });
  expect(result.errors).toBeUndefined();
  return JSON.parse(JSON.stringify(result.data));
}

/** How many statements the work took. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const { pool } = world.postgres;
  const query = pool.query.bind(pool);
  let statements = 0;
  pool.query = ((...args: Parameters<typeof query>) => {
    statements += 1;
    return query(...args);
  }) as typeof pool.query;
  await work();
  pool.query = query;
  return statements;
}

const COUNTS =
  'likeCount commentCount shareCount reactionCounts { kind count } viewerReaction viewerHasLiked';

describe('reacting', () => {
  it('answers the post with one’s own doing counted, also twice in one request', async () => {
    const data = await ask(
      'ben',
      `mutation ($postId: ID!) {
        likePost(input: { postId: $postId }) { post { ${COUNTS} } userErrors { code } }
        reactToPost(input: { postId: $postId, kind: WOW }) { post { ${COUNTS} } userErrors { code } }
      }`,
      { postId },
    );
    const liked = { likeCount: 1, reactionCounts: [{ kind: 'LIKE', count: 1 }], viewerReaction: 'LIKE' };
    expect(data.likePost).toMatchObject({ post: { ...liked, viewerHasLiked: true }, userErrors: [] });
    const wow = { likeCount: 0, reactionCounts: [{ kind: 'WOW', count: 1 }], viewerReaction: 'WOW' };
    expect(data.reactToPost).toMatchObject({ post: { ...wow, viewerHasLiked: false }, userErrors: [] });
  });

  it('to no post is a userError, and leaves the other half of the request alone', async () => {
    const data = await ask(
      'ben',
      `mutation ($postId: ID!) {
        unlikePost(input: { postId: "no id" }) { post { postId } userErrors { code path } }
        removeReaction(input: { postId: $postId }) { post { ${COUNTS} } userErrors { code } }
      }`,
      { postId },
    );
    expect(data.unlikePost).toEqual({
      post: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['input', 'postId'] }],
    });
    expect(data.removeReaction).toMatchObject({ post: { viewerReaction: null }, userErrors: [] });
  });

  it('is taken back from a post that is out of sight, which stays so', async () => {
    await ask('ben', `mutation { likePost(input: { postId: "${postId}" }) { userErrors { code } } }`);
    await world.feed.blockUser(callerOf('ann'), 'ben');
    const data = await ask(
      'ben',
      `mutation { unlikePost(input: { postId: "${postId}" }) { post { postId } userErrors { code } } }`,
    );
    expect(data.unlikePost).toEqual({ post: null, userErrors: [] });
    await world.feed.unblockUser(callerOf('ann'), 'ben');
    expect((await ask(null, `{ post(postId: "${postId}") { likeCount } }`)).post).toEqual({ likeCount: 0 });
  });

  it('shows who did, newest first', async () => {
    await ask('ben', `mutation { likePost(input: { postId: "${postId}" }) { userErrors { code } } }`);
    await ask('cat', `mutation { likePost(input: { postId: "${postId}" }) { userErrors { code } } }`);
    const data = await ask(
      null,
      `{ post(postId: "${postId}") { viewerHasLiked reactions(first: 1) {
          edges { cursor kind node { userId } } pageInfo { hasNextPage } } } }`,
    );
    expect(data.post).toMatchObject({
      viewerHasLiked: false,
      reactions: {
        edges: [{ kind: 'LIKE', node: { userId: 'cat' } }],
        pageInfo: { hasNextPage: true },
      },
    });
  });
});

describe('commenting', () => {
  it('answers the comment and its post, and shows a conversation with its totals', async () => {
    const { addComment } = await ask(
      'ben',
      `mutation { addComment(input: { postId: "${postId}", content: "Nice" }) {
          comment { id commentId postId content replyToId author { userId } } post { commentCount } userErrors { code } } }`,
    );
    expect(addComment).toMatchObject({
      comment: { postId, content: 'Nice', replyToId: null, author: { userId: 'ben' } },
      post: { commentCount: 1 },
      userErrors: [],
    });
    const { commentId, id } = addComment.comment;
    await ask(
      'ann',
      `mutation { addComment(input: { postId: "${postId}", content: "Thanks", replyToId: "${commentId}" }) {
          userErrors { code } } }`,
    );
    const data = await ask(
      'cat',
      `{ node(id: "${id}") { ... on Comment { content } }
         post(postId: "${postId}") { commentCount comments { totalCount edges { node { content
           replies { totalCount edges { node { content author { displayName } } } } } } } } }`,
    );
    expect(data.node).toEqual({ content: 'Nice' });
    const replies = {
      totalCount: 1,
      edges: [{ node: { content: 'Thanks', author: { displayName: 'ann' } } }],
    };
    expect(data.post).toEqual({
      commentCount: 2,
      comments: { totalCount: 1, edges: [{ node: { content: 'Nice', replies } }] },
    });
  });

  it('is undone by deleting, which answers the post without it', async () => {
    const added = await world.feed.engagement.addComment(callerOf('ben'), { postId, content: 'Oops' });
    const commentId = added.ok ? added.value : '';
    const remove = (userId: string) =>
      ask(
        userId,
        `mutation { deleteComment(input: { commentId: "${commentId}" }) {
          deletedCommentId post { commentCount } userErrors { code path } } }`,
      );
    expect((await remove('cat')).deleteComment).toEqual({
      deletedCommentId: null,
      post: null,
      userErrors: [{ code: 'FORBIDDEN', path: ['input', 'commentId'] }],
    });
    expect((await remove('ben')).deleteComment).toEqual({
      deletedCommentId: commentId,
      post: { commentCount: 0 },
      userErrors: [],
    });
    const gone = await ask('ben', `{ node(id: "${toGlobalId('Comment', commentId)}") { id } }`);
    expect(gone.node).toBeNull();
  });

  it('again by the same key, once it is deleted, says that it is gone', async () => {
    const add = async () =>
      (
        await ask(
          'ben',
          `mutation { addComment(input: { postId: "${postId}", content: "Nice", idempotencyKey: "k" }) {
            comment { commentId } userErrors { code }
          } }`,
        )
      ).addComment;
    const { comment } = await add();
    expect(await add()).toEqual({ comment, userErrors: [] });
    await ask(
      'ben',
      `mutation { deleteComment(input: { commentId: "${comment.commentId}" }) { deletedCommentId } }`,
    );
    expect(await add()).toEqual({ comment: null, userErrors: [{ code: 'COMMENT_NOT_FOUND' }] });
  });
});

describe('a page of posts', () => {
  it('costs as many statements with ten posts as with one', async () => {
    const query = (postIds: string[]) =>
      `{ nodes(ids: ${JSON.stringify(postIds.map((id) => toGlobalId('Post', id)))}) { ... on Post {
          ${COUNTS} reactions { edges { node { userId } } }
          comments { totalCount edges { node { content author { userId } replies { totalCount } } } } } } }`;
    const many = [postId];
    for (let i = 0; i < 9; i += 1) many.push(await published('ann', `hello ${i}`));
    for (const id of many) {
      await world.feed.engagement.reactToPost(callerOf('ben'), id, 'LIKE');
      await world.feed.engagement.addComment(callerOf('cat'), { postId: id, content: 'yes' });
    }
    await ask('ben', query(many));
    const ofOne = await statementsOf(() => ask('ben', query([postId])));
    const ofTen = await statementsOf(() => ask('ben', query(many)));
    expect(ofTen).toBe(ofOne);
  });
});

describe('the projector of counts', () => {
  it('gives Redis what a command could not, and does it twice without harm', async () => {
    const share = await world.feed.sharePost(callerOf('ben'), { postId, content: 'Look' });
    if (!share.ok) throw new Error(JSON.stringify(share.errors));
    await world.feed.engagement.reactToPost(callerOf('cat'), postId, 'LIKE');
    await world.feed.deletePost(callerOf('ben'), share.value.postId);
    // Everything that the commands had published is lost.
    await removeEach(world.redis, await keysLike(world.redis, 'tidings:{counts*}:*-*'));
    const [counts] = createEngagementProjectors({ feed: world.feed });
    const { events } = await world.log.readAll(0, 10_000, { types: [...counts!.eventTypes] });
    await counts!.apply(events, world.postgres);
    await counts!.apply(events, world.postgres);
    const cached = await valueLike(world.redis, `tidings:{counts*}:${postId}`);
    expect(cached?.split(' ').slice(2).map(Number)).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
  });
});
