import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/platform/errors.js';
import { callerOf, type FeedWorld, viewerOf } from './feed-world.js';
import { type FeedProcess, faults, openFleet, untilHeld } from './unwritable-redis.js';

/** One author whom one viewer follows, and one post. */
interface Scene {
  readonly author: string;
  readonly viewer: string;
  readonly postId: string;
}

interface Change {
  readonly name: string;
  /** Who can see the post at first. */
  readonly visibility?: 'public' | 'followers';
  acknowledge(by: FeedWorld, scene: Scene): Promise<Result<unknown>>;
  /** What every later read must find. */
  readonly truth: Partial<Seen>;
}

/** What the viewer sees of the post. */
interface Seen {
  readonly byId: string | undefined;
  readonly inFeed: string | undefined;
  readonly inAuthorsList: string | undefined;
  readonly authorsName: string | undefined;
  readonly likes: number | undefined;
  readonly inOwnFeed: readonly string[];
  readonly markedRead: boolean;
}

const changes: readonly Change[] = [
  {
    name: 'edit',
    acknowledge: ({ feed }, { author, postId }) =>
      feed.editPost(callerOf(author), { postId, content: 'changed' }),
    truth: { byId: 'changed', inFeed: 'changed', inAuthorsList: 'changed' },
  },
  {
    name: 'delete',
    acknowledge: ({ feed }, { author, postId }) => feed.deletePost(callerOf(author), postId),
    truth: { byId: undefined, inFeed: undefined, inAuthorsList: undefined, inOwnFeed: [] },
  },
  {
    name: 'block',
    acknowledge: ({ feed }, { author, viewer }) => feed.blockUser(callerOf(viewer), author),
    truth: { byId: undefined, inFeed: undefined },
  },
  {
    name: 'blocked by the author',
    acknowledge: ({ feed }, { author, viewer }) => feed.blockUser(callerOf(author), viewer),
    truth: { byId: undefined, inFeed: undefined },
  },
  {
    name: 'mute',
    acknowledge: ({ feed }, { author, viewer }) => feed.muteUser(callerOf(viewer), author),
    truth: { inFeed: undefined },
  },
  {
    name: 'unfollow',
    visibility: 'followers',
    acknowledge: ({ feed }, { author, viewer }) => feed.unfollowUser(callerOf(viewer), author),
    truth: { byId: undefined, inFeed: undefined },
  },
  {
    name: 'muted keyword',
    acknowledge: ({ feed }, { viewer }) => feed.setMutedKeywords(callerOf(viewer), ['first']),
    truth: { inFeed: undefined },
  },
  {
    name: 'rename',
    acknowledge: ({ feed }, { author }) => feed.upsertProfile(callerOf(author), { displayName: 'Renamed' }),
    truth: { authorsName: 'Renamed' },
  },
  {
    name: 'like',
    acknowledge: ({ feed }, { viewer, postId }) =>
      feed.engagement.reactToPost(callerOf(viewer), postId, 'LIKE'),
    truth: { likes: 1 },
  },
  {
    name: 'publish',
    acknowledge: ({ feed }, { author }) =>
      feed.publishPost(callerOf(author), { content: 'second', visibility: 'public' }),
    truth: { inOwnFeed: ['second', 'first'] },
  },
  {
    name: 'mark read',
    async acknowledge({ feed }, { viewer }) {
      const page = await feed.readFeed(viewerOf(viewer), firstPage);
      return feed.markers.mark(viewerOf(viewer), page.edges[0]!.cursor);
    },
    truth: { markedRead: true },
  },
];

const firstPage = { order: 'LATEST', page: { limit: 10, direction: 'forward', cursor: null } } as const;

async function see({ feed }: FeedProcess, { author, viewer, postId }: Scene): Promise<Seen> {
  const [visible, page, [list], own, markers] = await Promise.all([
    feed.findVisiblePosts(viewerOf(viewer), [postId]),
    feed.readFeed(viewerOf(viewer), firstPage),
    feed.pageAuthorPosts(viewerOf(author), [author], firstPage.page),
    feed.readFeed(viewerOf(author), firstPage),
    feed.markers.of([viewer]),
  ]);
  const isIt = (post: { readonly postId: string }): boolean => post.postId === postId;
  return {
    byId: visible.get(postId)?.content,
    inFeed: page.edges.map(({ node }) => node).find(isIt)?.content,
    inAuthorsList: list!.edges.map(({ node }) => node).find(isIt)?.content,
    authorsName: visible.get(postId)?.author.displayName,
    likes: visible.get(postId)?.likeCount,
    inOwnFeed: own.edges.map(({ node }) => node.content),
    markedRead: markers.get(viewer)!.cursor !== null,
  };
}

const unchanged: Seen = {
  byId: 'first',
  inFeed: 'first',
  inAuthorsList: 'first',
  authorsName: 'Author',
  likes: 0,
  inOwnFeed: ['first'],
  markedRead: false,
};

/** A scene whose every part the reader has in Redis and in memory. */
async function prepare(writer: FeedProcess, reader: FeedProcess, change: Change): Promise<Scene> {
  const name = change.name.replaceAll(' ', '-');
  const scene = { author: `${name}-author`, viewer: `${name}-viewer` };
  for (const userId of Object.values(scene)) await writer.feed.signIn(userId);
  await writer.feed.upsertProfile(callerOf(scene.author), { displayName: 'Author' });
  await writer.feed.followUser(callerOf(scene.viewer), scene.author);
  const { visibility = 'public' } = change;
  const published = await writer.feed.publishPost(callerOf(scene.author), { content: 'first', visibility });
  if (!published.ok) throw new Error(JSON.stringify(published.errors));
  const whole = { ...scene, postId: published.value.postId };
  await see(reader, whole);
  const read = async (userId: string) => {
    // What could not be built while the lease was away is built by the next read.
    await see(reader, whole);
    return reader.feed.cache.read(userId, Date.now(), 1);
  };
  for (const userId of Object.values(scene))
    await expect.poll(() => read(userId), { timeout: 30_000 }).not.toBeNull();
  expect(await see(reader, whole)).toEqual(unchanged);
  return whole;
}

describe('what was acknowledged is seen by every later read of another process, though', () => {
  it.each(faults)(
    '$name',
    async (fault) => {
      const fleet = await openFleet();
      try {
        await Promise.all([untilHeld(fleet.writer), untilHeld(fleet.reader)]);
        const scenes = await Promise.all(
          changes.map(async (change) => ({
            change,
            scene: await prepare(fleet.writer, fleet.reader, change),
          })),
        );
        await fault.begin(fleet);
        const expectTruth = async (when: string): Promise<void> => {
          const seen = await Promise.all(scenes.map(({ scene }) => see(fleet.reader, scene)));
          for (const [index, { change }] of scenes.entries())
            expect(seen[index], `${change.name}, ${when}`).toMatchObject(change.truth);
        };
        await Promise.all(
          scenes.map(async ({ change, scene }) => {
            expect((await change.acknowledge(fleet.writer, scene)).ok, change.name).toBe(true);
            expect(await see(fleet.reader, scene), `${change.name}, at once`).toMatchObject(change.truth);
          }),
        );
        await expectTruth('later');
        await fault.end(fleet);
        for (let held = 0; held < 3; held += Number(fleet.reader.lease.isHeld())) {
          await expectTruth('while it recovers');
          // Reads without a pause would keep two cores from everything else.
          await pause(20);
        }
        await untilHeld(fleet.writer);
        await expectTruth('once it has recovered');
      } finally {
        await fleet.close();
      }
    },
    120_000,
  );
});
