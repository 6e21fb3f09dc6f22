import { expect } from 'vitest';
import type { FeedOrder, Post, Visibility } from '../../src/domains/feed/index.js';
import { removeEach } from '../../src/platform/redis/many-keys.js';
import { forgetAll, keysLike } from '../support/redis.js';
import { callerOf, type FeedWorld } from './feed-world.js';
import { FeedModel, type ModelPost } from './model.js';
import { ReadComparison } from './play-reads.js';
import { type Chance, createChance } from './random.js';

const USERS = ['ann', 'ben', 'cat', 'dan', 'eve', 'fay'] as const;
const HOUR_MS = 3_600_000;

/** Long enough to be known again. */
const SAYINGS = [
  'The ferry to the northern islands sails again from tomorrow morning',
  'Our library opens its doors on Sundays from the first of May',
] as const;

/** Does to the feed and to the model the same things. */
export class Play {
  readonly model = new FeedModel();
  readonly trail: string[] = [];
  private waiting: string[] = [];
  private words = 0;
  private chance: Chance = createChance(0);

  private readonly comparison: ReadComparison;

  private constructor(
    private readonly world: FeedWorld,
    private readonly users: readonly string[],
  ) {
    this.comparison = new ReadComparison(world, this.model);
  }

  /** A story of its own: people whom nobody has met. */
  static async begin(world: FeedWorld, story: number): Promise<Play> {
    const users = USERS.map((name) => `${name}-${story}`);
    for (const userId of users) await world.feed.signIn(userId);
    const play = new Play(world, users);
    for (const [index, userId] of users.entries())
      for (const step of [1, 2, 4]) await play.follow(userId, users[(index + step) % users.length]!);
    return play;
  }

  private async follow(from: string, to: string): Promise<void> {
    expect((await this.world.feed.followUser(callerOf(from), to)).ok).toBe(true);
    this.model.set(this.model.follows, from, to, true);
  }

  note(what: string): void {
    this.trail.push(what);
  }

  async publish(
    author = this.chance.pick(this.users),
    visibility = this.chance.pick<Visibility>(['public', 'public', 'followers', 'private']),
  ): Promise<void> {
    const published = await this.world.feed.publishPost(callerOf(author), {
      content: this.say(),
      visibility,
    });
    if (!published.ok) throw new Error(JSON.stringify(published.errors));
    this.add(published.value, null);
    if (this.chance.once(2)) await this.settle();
  }

  /** Something new, or what somebody said before, in nearly the same words. */
  private say(): string {
    this.words += 1;
    return this.chance.once(6)
      ? `${this.chance.pick(SAYINGS)}${'!'.repeat(this.chance.int(3))}`
      : `word ${this.words}`;
  }

  /** More of one author than a page shows of a celebrity. */
  async burst(): Promise<void> {
    const author = this.chance.pick(this.users);
    const count = 11 + this.chance.int(20);
    this.note(`${author} has ${count} things to say`);
    for (let i = 0; i < count; i += 1) await this.publish(author, 'public');
  }

  /** Nobody is heard any more of whom somebody follows, but perhaps one. */
  async retire(): Promise<void> {
    const viewer = this.chance.pick(this.users);
    const spared = this.chance.pick(this.users);
    for (const other of this.users.filter((user) => user !== viewer && user !== spared))
      await this.change(viewer, other, this.chance.pick(['mute', 'mute', 'block'] as const), true);
  }

  private add(
    { postId, author, content, visibility, createdAt, distribution }: Post,
    shares: ModelPost | null,
  ) {
    const isPulled = distribution === 'pull';
    const what = shares ? `shares ${shares.postId} as` : 'publishes';
    this.note(`${author.userId} ${what} ${postId} (${visibility}${isPulled ? ', pulled' : ''})`);
    const at = createdAt.getTime();
    this.model.posts.push({
      ...{ postId, author: author.userId, visibility, isPulled, shares, content, at },
      isDeleted: false,
    });
    this.waiting.push(postId);
  }

  async share(): Promise<void> {
    const via = this.living();
    if (!via) return;
    const sharer = this.chance.pick(this.users);
    const original = via.shares ?? via;
    const mayShare =
      this.model.maySee(sharer, via) &&
      this.model.maySee(sharer, original) &&
      (original.visibility === 'public' || original.author === sharer);
    const shared = await this.world.feed.sharePost(callerOf(sharer), { postId: via.postId });
    expect(shared.ok, `${sharer} shares ${via.postId}`).toBe(mayShare);
    if (shared.ok) this.add(shared.value, original);
  }

  /** Whatever is on its way arrives. */
  async settle(): Promise<void> {
    const postIds = this.waiting;
    this.waiting = [];
    if (postIds.length > 0) await this.world.fanOut(...postIds);
  }

  private living(): ModelPost | undefined {
    const living = this.model.posts.filter((post) => !post.isDeleted);
    return living.length === 0 ? undefined : this.chance.pick(living);
  }

  async edit(): Promise<void> {
    const post = this.living();
    if (!post) return;
    post.content = this.say();
    this.note(`${post.author} edits ${post.postId}`);
    const edited = await this.world.feed.editPost(callerOf(post.author), {
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
    expect((await this.world.feed.deletePost(callerOf(post.author), post.postId)).ok).toBe(true);
  }

  async relate(): Promise<void> {
    const [from, to] = [this.chance.pick(this.users), this.chance.pick(this.users)];
    if (from === to) return;
    const kind = this.chance.pick(['follow', 'follow', 'follow', 'mute', 'block'] as const);
    await this.change(from, to, kind, !this.chance.once(3));
  }

  private async change(
    from: string,
    to: string,
    kind: 'follow' | 'mute' | 'block',
    isThere: boolean,
  ): Promise<void> {
    const { feed } = this.world;
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
    const changed = await this.world.feed.settleCelebrities();
    this.note(`status changes: ${changed.join()}`);
  }

  async lose(): Promise<void> {
    if (this.chance.once(3)) {
      this.note('Redis is emptied');
      await forgetAll(this.world.redis);
      return;
    }
    const keys = (await keysLike(this.world.redis, 'tidings:*')).sort();
    const lost = keys.filter(() => this.chance.once(2));
    this.note(`Redis loses ${lost.length} keys`);
    await removeEach(this.world.redis, lost);
  }

  /** All that was written becomes older. */
  async jump(): Promise<void> {
    const hours = this.chance.pick([1, 5, 30, 200]);
    this.note(`${hours} hours pass`);
    await this.settle();
    await this.world.postgres.query('UPDATE posts SET created_at = created_at - make_interval(hours => $1)', [
      hours,
    ]);
    for (const post of this.model.posts) post.at -= hours * HOUR_MS;
    await forgetAll(this.world.redis);
  }

  /** Reads a whole feed, while others may publish and delete, and compares. */
  async read(
    viewer = this.chance.pick(this.users),
    order: FeedOrder = this.chance.pick(['LATEST', 'RANKED']),
  ): Promise<void> {
    const limit = this.chance.pick([1, 2, 3, 5, 7, 20, 100]);
    const isBusy = this.chance.once(3);
    await this.settle();
    this.note(`${viewer} reads ${order} by ${limit}${isBusy ? ' while others write' : ''}`);
    const meanwhile = async (): Promise<void> => {
      if (this.chance.once(2)) await (this.chance.once(2) ? this.publish() : this.delete());
    };
    await this.comparison.read(viewer, order, limit, isBusy ? meanwhile : undefined);
  }

  async readAll(): Promise<void> {
    for (const viewer of this.users)
      for (const order of ['LATEST', 'RANKED'] as const) await this.read(viewer, order);
  }

  /** @param seed of all that is left to chance in this step */
  async step({ dice, seed }: Step): Promise<void> {
    this.chance = createChance(seed);
    if (dice < 25) await this.publish();
    else if (dice < 27) await this.burst();
    else if (dice < 28) await this.retire();
    else if (dice < 36) await this.share();
    else if (dice < 54) await this.relate();
    else if (dice < 60) await this.delete();
    else if (dice < 66) await this.edit();
    else if (dice < 70) await this.cross();
    else if (dice < 75) await this.lose();
    else if (dice < 77) await this.jump();
    else await this.read();
  }
}

/** What happens, and the seed of how: a story that is made shorter keeps what is left of it as it was. */
export interface Step {
  readonly dice: number;
  readonly seed: number;
}
