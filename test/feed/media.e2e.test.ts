import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { signToken } from '../../src/platform/auth/auth.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, startWorker, type TestProcess, testAuthSecret } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { photograph } from './media-world.js';

let database: TestDatabase;
let redis: TestRedis;
let dir: string;
let api: TestProcess;
let worker: TestProcess;
let authorization: string;
beforeAll(async () => {
  [database, redis, dir] = await Promise.all([
    createTestDatabase(),
    startTestRedis(),
    mkdtemp(path.join(tmpdir(), 'tidings-media-e2e-')),
  ]);
  const at = { databaseUrl: database.url, redisUrl: redis.url, env: { MEDIA_DIR: dir } };
  [api, worker] = await Promise.all([startApi(at), startWorker(at)]);
  const claims = { userId: 'ann', roles: [], plan: 'free', expiresInSeconds: 600 };
  authorization = `Bearer ${await signToken(testAuthSecret, claims)}`;
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  await Promise.all([database?.drop(), redis?.stop(), rm(dir, { recursive: true, force: true })]);
});

async function ask<T>(query: string, variables: object): Promise<T> {
  const answer = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ query, variables }),
  });
  return ((await answer.json()) as { data: T }).data;
}

interface Media {
  readonly id: string;
  readonly state: string;
  readonly url: string | null;
  readonly renditions: readonly { readonly name: string; readonly url: string }[];
}

it('from an upload over REST to a post whose picture anybody can fetch', async () => {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(await photograph(400, 200))]), 'holiday.jpg');
  const uploaded = await fetch(`${api.url}/api/v1/media`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  const { media_id: mediaId } = (await uploaded.json()) as { media_id: string };

  // At once, so that the post is cached before its picture is there.
  const { publishPost } = await ask<{ publishPost: { post: { postId: string; media: Media[] } } }>(
    `mutation ($media: [ID!]) {
      publishPost(input: { content: "sun", mediaIds: $media }) { post { postId media { state } } }
    }`,
    { media: [mediaId] },
  );
  const { postId } = publishPost.post;
  const media = await vi.waitFor(
    async () => {
      const { post } = await ask<{ post: { mediaUrls: string[]; media: Media[] } }>(
        'query ($postId: ID!) { post(postId: $postId) { mediaUrls media { id state url renditions { name url } } } }',
        { postId },
      );
      expect(post.media).toMatchObject([{ state: 'READY' }]);
      expect(post.mediaUrls).toEqual([post.media[0]!.url]);
      return post.media[0]!;
    },
    { timeout: 15_000, interval: 50 },
  );
  const again = await ask<{ media: Media; node: Media }>(
    `query ($mediaId: ID!, $id: ID!) {
      media(mediaId: $mediaId) { state }
      node(id: $id) { ... on Media { state } }
    }`,
    { mediaId, id: media.id },
  );
  expect(again).toEqual({ media: { state: 'READY' }, node: { state: 'READY' } });
  expect(media.renditions.map(({ name }) => name)).toEqual(['150']);
  for (const url of [media.url!, media.renditions[0]!.url]) {
    expect(url.startsWith(`${api.url}/media/images/`)).toBe(true);
    expect((await fetch(url)).status).toBe(200);
  }
});
