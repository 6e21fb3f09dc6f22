import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FeedOrder } from '../../src/domains/feed/index.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';
import { FeedModel, type ModelPost } from './model.js';
import { type Chance, createChance } from './random.js';

const USERS = ['ann', 'ben', 'cat', 'dan', 'eve', 'fay'] as const;
const STEPS = 300;
const HOUR_MS = 3_600_000;

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld({ config: { celebrityFollowers: 3 } });
  for (const userId of USERS) await world.feed.signIn(userId);
});
afterAll(() => world.close());

/** Does to the feed and to the model the same things. */
class Play {
  readonly model = new FeedModel();
  readonly trail: string[] = [];
  private waiting: string[] = [];
  private words = 0;

  constructor(readonly chance: Chance) {}

  note(what: string): void {
    this.trail.push(what);
  }

  async publish(): Promise<void> {
    const author = this.chance.pick(USERS);
    const visibility = this.chance.pick(['public', 'public', 'followers', 'private'] as const);
    this.words += 1;
    const content = `word ${this.words}`;
    const published = await world.feed.publishPost(callerOf(author), { content, visibility });
    if (!published.ok) throw new Error(JSON.stringify(published.errors));
    const { postId, createdAt, distribution } = published.value;
    const isPulled = distribution === 'pull';
    this.note(`${author} publishes ${postId} (${visibility}${isPulled ? ', pulled' : ''})`);
    this.model.posts.push({
      postId,
      author,
      visibility,
      isPulled,
      content,
      at: createdAt.getTime(),
      isDeleted: false,
    });
    this.waiting.push(postId);
    if (this.chance.once(2)) await this.settle();
  }

  /** Whatever is on its way arrives. */
  async settle(): Promise<void> {
    const postIds = this.waiting;
    this.waiting = [];
    if (postIds.length > 0) await world.fanOut(...postIds);
  }

  private living(): ModelPost | undefined {
    const living = this.model.posts.filter((post) => !post.isDeleted);
    return living.length === 0 ? undefined : this.chance.pick(living);
  }

  async edit(): Promise<void> {
    const post = this.living();
    if (!post) return;
    this.words += 1;
    post.content = `edited ${this.words}`;
    this.note(`${post.author} edits ${post.postId}`);
    const edited = await world.feed.editPost(callerOf(post.author), {
      postId: post.postId,
      content: post.content,
    });
    expect(edited.ok).toBe(true);
  }

  async delete(): Promise<void> {
    const post = this.living();
    if (!post) return;
    post.isDeleted = true;
    this.note(`${post.author} deletes ${post.postId}`);
    expect((await world.feed.deletePost(callerOf(post.author), post.postId)).ok).toBe(true);
  }

  async relate(): Promise<void> {
    const [from, to] = [this.chance.pick(USERS), this.chance.pick(USERS)];
    if (from === to) return;
    const kind = this.chance.pick(['follow', 'follow', 'follow', 'mute', 'block'] as const);
    const isThere = !this.chance.once(3);
    const { feed } = world;
    const change = {
      follow: isThere ? feed.followUser : feed.unfollowUser,
      mute: isThere ? feed.muteUser : feed.unmuteUser,
      block: isThere ? feed.blockUser : feed.unblockUser,
    }[kind];
    const changed = await change(callerOf(from), to);
    this.note(`${from} ${isThere ? '' : 'un'}${kind}s ${to}${changed.ok ? '' : ': refused'}`);
    const edges = { follow: this.model.follows, mute: this.model.mutes, block: this.model.blocks }[kind];
    if (changed.ok) this.model.set(edges, from, to, isThere);
  }

  async cross(): Promise<void> {
    const changed = await world.feed.settleCelebrities();
    this.note(`status changes: ${changed.join()}`);
  }

  async lose(): Promise<void> {
    if (this.chance.once(3)) {
      this.note('Redis is emptied');
      await world.redis.flushall();
      return;
    }
    const keys = (await world.redis.keys('tidings:*')).sort();
    const lost = keys.filter(() => this.chance.once(2));
    this.note(`Redis loses ${lost.length} keys`);
    if (lost.length > 0) await world.redis.del(...lost);
  }

  /** All that was written becomes older. */
  async jump(): Promise<void> {
    const hours = this.chance.pick([1, 5, 30, 200]);
    this.note(`${hours} hours pass`);
    await this.settle();
    await world.postgres.query('UPDATE posts SET created_at = created_at - make_interval(hours => $1)', [
      hours,
    ]);
    for (const post of this.model.posts) post.at -= hours * HOUR_MS;
    await world.redis.flushall();
  }

  /** Reads a whole feed, while others may publish and delete, and compares. */
  async read(): Promise<void> {
    const viewer = this.chance.pick(USERS);
    const order = this.chance.pick(['LATEST', 'RANKED'] as const);
    const limit = this.chance.pick([1, 2, 3, 5, 7, 20, 100]);
    const isBusy = this.chance.once(3);
    await this.settle();
    const before = this.model.eligible(viewer, Date.now());
    this.note(`${viewer} reads ${order} by ${limit}${isBusy ? ' while others write' : ''}`);
    const shown = await this.page(viewer, order, limit, isBusy);
    const after = this.model.eligible(viewer, Date.now());
    expect(new Set(shown).size, 'nothing twice').toBe(shown.length);
    for (const postId of shown)
      expect(before.may.has(postId) || after.may.has(postId), `${postId} is not for ${viewer}`).toBe(true);
    for (const postId of before.must) {
      if (after.must.has(postId)) expect(shown, `${viewer} misses ${postId}`).toContain(postId);
    }
  }

  private async page(viewer: string, order: FeedOrder, limit: number, isBusy: boolean): Promise<string[]> {
    const shown: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = { limit, cursor, direction: 'forward' as const };
      const { edges, pageInfo } = await world.feed.readFeed(viewerOf(viewer), { order, page });
      for (const { node } of edges) {
        shown.push(node.postId);
        const post = this.model.posts.find(({ postId }) => postId === node.postId);
        expect(node.content, 'what was edited shows at once').toBe(post?.content);
      }
      if (!pageInfo.hasNextPage) return shown;
      expect(pageInfo.endCursor, 'the cursor moves').not.toBe(cursor);
      cursor = pageInfo.endCursor;
      if (isBusy && this.chance.once(2)) await (this.chance.once(2) ? this.publish() : this.delete());
    }
  }

  async step(): Promise<void> {
    const dice = this.chance.int(100);
    if (dice < 34) await this.publish();
    else if (dice < 54) await this.relate();
    else if (dice < 60) await this.delete();
    else if (dice < 66) await this.edit();
    else if (dice < 70) await this.cross();
    else if (dice < 75) await this.lose();
    else if (dice < 77) await this.jump();
    else await this.read();
  }
}

it('every reader sees exactly the eligible posts, once each, whatever happens between', async () => {
  const play = new Play(createChance());
  try {
    for (let i = 0; i < STEPS; i += 1) await play.step();
    for (let i = 0; i < 20; i += 1) await play.read();
  } catch (error) {
    const story = play.trail.slice(-25).join('\n');
    throw new Error(`FEED_SEED=${play.chance.seed}, after ${play.trail.length} steps:\n${story}`, {
      cause: error,
    });
  }
}, 120_000);
