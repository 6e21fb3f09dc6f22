import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../src/context.js';
import { createEdge, type Edge } from '../../src/edge/index.js';
import { registerPostRoutes } from '../../src/http/feed-posts.js';
import { createAuthenticator, type Role, signToken } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { toGlobalId } from '../../src/schema/relay.js';
import { holdAnswersToDocument } from '../support/documented-answers.js';
import { type FeedWorld, openFeedWorld, silent } from './feed-world.js';
import { ids } from './posts-world.js';

const secret = 'a secret of thirty-two characters';
let world: FeedWorld;
let edge: Edge;
let url: string;

beforeAll(async () => {
  world = await openFeedWorld();
  for (const userId of ['ann', 'ben', 'cat']) await world.feed.signIn(userId);
  const app = { feed: world.feed } as RequestContext['app'];
  edge = await createEdge({
    schema: await buildApiSchema(),
    authenticator: createAuthenticator({ secret }, systemClock),
    createContext: (request) =>
      ({ ...request, app, loaders: createLoaders(app, request.viewer) }) as unknown as RequestContext,
    logger: silent,
    allowedOrigins: [],
    development: false,
    readiness: {},
    metrics: new Registry(),
    clock: systemClock,
    ids,
    async routes(fastify, openRequest) {
      await holdAnswersToDocument(fastify);
      registerPostRoutes(fastify, { app, openRequest });
    },
  });
  url = await edge.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await edge?.close();
  await world?.close();
});

async function send(
  path: string,
  userId: string | null,
  body: unknown,
  headers: Record<string, string> = {},
  ...roles: Role[]
) {
  const token = userId && (await signToken(secret, { userId, roles, plan: 'free', expiresInSeconds: 600 }));
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what a route answers depends on the route
  return { status: answer.status, body: (await answer.json()) as any };
}

const rest = (userId: string | null, body: unknown, headers?: Record<string, string>) =>
  send('/api/v1/posts', userId, body, headers);
const ask = async (userId: string | null, query: string, variables: object = {}) =>
  (await send('/graphql', userId, { query, variables })).body;

describe('POST /api/v1/posts', () => {
  it('publishes and answers the new post’s id', async () => {
    const { status, body } = await rest('ann', { user_id: 'ann', content: 'hello', visibility: 'public' });
    expect([status, Object.keys(body)]).toEqual([201, ['post_id']]);
    expect(
      await ask(null, `{ post(postId: "${body.post_id}") { content visibility author { userId } } }`),
    ).toEqual({
      data: { post: { content: 'hello', visibility: 'PUBLIC', author: { userId: 'ann' } } },
    });
  });

  it('takes media_ids and visibility as absent, and visibility in any case', async () => {
    const { body } = await rest('ann', {
      user_id: 'ann',
      content: 'mine',
      media_ids: [],
      visibility: 'PRIVATE',
    });
    expect(await ask('ben', `{ post(postId: "${body.post_id}") { content } }`)).toEqual({
      data: { post: null },
    });
    expect((await rest('ann', { user_id: 'ann', content: 'all' })).status).toBe(201);
  });

  it('answers the same post to the same key, also at once, and 409 to the key of another', async () => {
    const key = { 'idempotency-key': 'abc' };
    const body = { user_id: 'ann', content: 'once' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => rest('ann', body, key)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.post_id}`)).size).toBe(1);
    expect(await rest('ann', { ...body, content: 'twice' }, key)).toMatchObject({
      status: 409,
      body: { error: { code: 'IDEMPOTENCY_KEY_REUSED', path: ['Idempotency-Key'] } },
    });
    expect((await rest('ben', { ...body, user_id: 'ben' }, key)).status).toBe(201);
  });

  it.each([
    ['no token', null, { user_id: 'ann', content: 'x' }, 401, 'UNAUTHENTICATED', undefined],
    ['another’s user_id', 'ben', { user_id: 'ann', content: 'x' }, 403, 'FORBIDDEN', ['user_id']],
    [
      'a member that is none',
      'ann',
      { user_id: 'ann', content: 'x', mood: 1 },
      400,
      'BAD_USER_INPUT',
      ['mood'],
    ],
    ['no user_id', 'ann', { content: 'x' }, 400, 'BAD_USER_INPUT', ['user_id']],
    ['no content', 'ann', { user_id: 'ann' }, 400, 'BAD_USER_INPUT', ['content']],
    [
      'an unknown visibility',
      'ann',
      { user_id: 'ann', content: 'x', visibility: 'friends' },
      400,
      'BAD_USER_INPUT',
      ['visibility'],
    ],
    ['empty content', 'ann', { user_id: 'ann', content: ' ' }, 400, 'CONTENT_EMPTY', ['content']],
    [
      'too long content',
      'ann',
      { user_id: 'ann', content: 'x'.repeat(5_001) },
      400,
      'CONTENT_TOO_LONG',
      ['content'],
    ],
    [
      'a media id that is none',
      'ann',
      { user_id: 'ann', content: 'x', media_ids: ['cat.png'] },
      422,
      'MEDIA_NOT_FOUND',
      ['media_ids', '0'],
    ],
    ['a list', 'ann', [], 400, 'BAD_USER_INPUT', null],
  ] as const)('refuses %s', async (_, userId, body, status, code, path) => {
    const answer = await rest(userId, body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    if (path !== undefined) expect(answer.body.error.path ?? null).toEqual(path);
  });

  it('refuses eleven media, and a hundred thousand without asking anybody', async () => {
    const media_ids = Array.from({ length: 20_000 }, () => ids.next());
    expect(await rest('ann', { user_id: 'ann', content: 'x', media_ids })).toMatchObject({
      status: 400,
      body: { error: { code: 'TOO_MANY_MEDIA', path: ['media_ids'] } },
    });
    const many = Array.from({ length: 100_000 }, (_, n) => String(n));
    const result = await world.feed.publishPost(
      { viewer: { userId: 'ann', roles: new Set(), plan: 'free' }, correlationId: 'many' },
      { content: 'x', visibility: 'public', mediaIds: many },
    );
    expect(result).toMatchObject({ ok: false, errors: [{ code: 'TOO_MANY_MEDIA' }] });
  });
});

describe('posts over GraphQL', () => {
  it('publishes, edits, shares and deletes', async () => {
    const published = await ask(
      'ann',
      'mutation { publishPost(input: { content: "one" }) { post { id postId media { mediaId } mediaUrls sharedPost { postId } edits { content } } userErrors { code } } }',
    );
    const { postId } = published.data.publishPost.post;
    expect(published.data.publishPost.post).toMatchObject({
      media: [],
      mediaUrls: [],
      sharedPost: null,
      edits: [],
    });
    const edited = await ask(
      'ann',
      'mutation ($id: ID!) { editPost(input: { postId: $id, content: "two" }) { post { content edits { content editedAt } } userErrors { code } } }',
      { id: postId },
    );
    expect(edited.data.editPost.post).toMatchObject({ content: 'two', edits: [{ content: 'one' }] });
    const shared = await ask(
      'ben',
      'mutation ($id: ID!) { sharePost(input: { postId: $id }) { post { postId content sharedPost { postId content shareCount } } userErrors { code } } }',
      { id: postId.toUpperCase() },
    );
    expect(shared.data.sharePost.post).toMatchObject({
      content: '',
      sharedPost: { postId, content: 'two', shareCount: 1 },
    });
    const deleted = await ask(
      'ann',
      'mutation ($id: ID!) { deletePost(input: { postId: $id }) { deletedPostId deletedId userErrors { code } } }',
      { id: postId },
    );
    expect(deleted.data.deletePost).toEqual({
      deletedPostId: postId,
      deletedId: toGlobalId('Post', postId),
      userErrors: [],
    });
    const left = await ask('cat', 'query ($id: ID!) { post(postId: $id) { sharedPost { postId } } }', {
      id: shared.data.sharePost.post.postId,
    });
    expect(left).toEqual({ data: { post: { sharedPost: null } } });
  });

  it('names the input that is at fault', async () => {
    const mutation = `mutation ($id: ID!) {
      edit: editPost(input: { postId: $id, content: "x" }) { post { postId } userErrors { code path } }
      delete: deletePost(input: { postId: $id }) { deletedPostId deletedId userErrors { code path } }
      share: sharePost(input: { postId: $id }) { post { postId } userErrors { code path } }
    }`;
    const userErrors = [{ code: 'NOT_FOUND', path: ['input', 'postId'] }];
    expect(await ask('ann', mutation, { id: 'nothing' })).toEqual({
      data: {
        edit: { post: null, userErrors },
        delete: { deletedPostId: null, deletedId: null, userErrors },
        share: { post: null, userErrors },
      },
    });
  });
});
