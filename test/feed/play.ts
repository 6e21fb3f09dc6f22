import { expect } from 'vitest';
import type { FeedOrder, Post, Visibility } from '../../src/domains/feed/index.js';
import { callerOf, type FeedWorld, viewerOf } from './feed-world.js';
import { FeedModel, type ModelPost, sayingOf } from './model.js';
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

  private constructor(
    private readonly world: FeedWorld,
    private readonly users: readonly string[],
  ) {}

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
      await this.world.redis.flushall();
      return;
    }
    const keys = (await this.world.redis.keys('tidings:*')).sort();
    const lost = keys.filter(() => this.chance.once(2));
    this.note(`Redis loses ${lost.length} keys`);
    if (lost.length > 0) await this.world.redis.del(...lost);
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
    await this.world.redis.flushall();
  }

  /** Reads a whole feed, while others may publish and delete, and compares. */
  async read(
    viewer = this.chance.pick(this.users),
    order: FeedOrder = this.chance.pick(['LATEST', 'RANKED']),
  ): Promise<void> {
    const limit = this.chance.pick([1, 2, 3, 5, 7, 20, 100]);
    const isBusy = this.chance.once(3);
    await this.settle();
    const before = this.model.eligible(viewer, Date.now());
    this.note(`${viewer} reads ${order} by ${limit}${isBusy ? ' while others write' : ''}`);
    const pages = await this.page(viewer, order, limit, isBusy);
    const shown = pages.flat();
    const after = this.model.eligible(viewer, Date.now());
    expect(new Set(shown).size, 'nothing twice').toBe(shown.length);
    for (const postId of shown)
      expect(before.may.has(postId) || after.may.has(postId), `${postId} is not for ${viewer}`).toBe(true);
    for (const postId of before.must) if (after.must.has(postId)) this.expectSaid(postId, shown, viewer);
    for (const page of pages)
      expect(Math.max(0, ...this.pulledOf(viewer, page).values()), 'ten of a celebrity').toBeLessThanOrEqual(
        10,
      );
    if (isBusy) return;
    // In one window nobody says what was said.
    const ids = this.model.posts.map(({ postId }) => postId);
    if (ids.length <= 100 && Math.max(0, ...this.pulledOf(viewer, ids).values()) <= 10) {
      const sayings = shown.flatMap((postId) => this.sayingFor(viewer, postId) ?? []);
      expect(new Set(sayings).size, 'no saying twice').toBe(sayings.length);
    }
    for (const [index, page] of pages.slice(0, -1).entries()) {
      const rest = pages.slice(index + 1);
      expect(rest[0], 'more was promised').not.toEqual([]);
      if (page.length < limit)
        this.expectLeft(viewer, page, order === 'LATEST' ? [rest[0]![0]!] : rest.flat());
    }
  }

  /** A post is shown, or one that says the same. */
  private expectSaid(postId: string, shown: string[], viewer: string): void {
    if (shown.includes(postId)) return;
    const saying = this.sayingFor(viewer, postId);
    const isSaid = saying !== null && shown.some((other) => this.sayingFor(viewer, other) === saying);
    expect(isSaid, `${viewer} misses ${postId}`).toBe(true);
  }

  /** What a post says that others may say too; one's own stands by itself. */
  private sayingFor(viewer: string, postId: string): string | null {
    const post = this.find(postId);
    return post.author === viewer ? null : sayingOf(post);
  }

  /**
   * A page may be short only for what is left: of celebrities of whom it has ten posts, or old when it was read; and for
   * what says the same as one of theirs.
   */
  private expectLeft(viewer: string, page: string[], left: string[]): void {
    const shown = this.pulledOf(viewer, page);
    expect([...shown.values()], `a page of ${page.length} is short`).toContain(10);
    const { must } = this.model.eligible(viewer, Date.now());
    const alone = left.filter((postId) => this.sayingFor(viewer, postId) === null);
    for (const post of alone.map((postId) => this.find(postId))) {
      expect(this.isPulledFor(viewer, post), `${post.postId} is missing on a short page`).toBe(true);
      if (must.has(post.postId)) expect(shown.get(post.author)).toBe(10);
    }
  }

  /** How many posts of each celebrity a page has. */
  private pulledOf(viewer: string, page: string[]): Map<string, number> {
    const pulled = page.map((postId) => this.find(postId)).filter((post) => this.isPulledFor(viewer, post));
    return new Map(
      [...Map.groupBy(pulled, ({ author }) => author)].map(([who, { length }]) => [who, length]),
    );
  }

  private isPulledFor(viewer: string, post: ModelPost): boolean {
    return post.isPulled && post.author !== viewer;
  }

  private find(postId: string): ModelPost {
    return this.model.posts.find((post) => post.postId === postId)!;
  }

  private async page(viewer: string, order: FeedOrder, limit: number, isBusy: boolean): Promise<string[][]> {
    const pages: string[][] = [];
    for (let cursor: string | null = null; ; ) {
      const page = { limit, cursor, direction: 'forward' as const };
      const { edges, pageInfo } = await this.world.feed.readFeed(viewerOf(viewer), { order, page });
      pages.push(edges.map(({ node }) => node.postId));
      for (const { node } of edges) {
        const post = this.model.posts.find(({ postId }) => postId === node.postId);
        expect(node.content, 'what was edited shows at once').toBe(post?.content);
      }
      if (!pageInfo.hasNextPage) return pages;
      expect(pageInfo.endCursor, 'the cursor moves').not.toBe(cursor);
      cursor = pageInfo.endCursor;
      if (isBusy && this.chance.once(2)) await (this.chance.once(2) ? this.publish() : this.delete());
    }
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
