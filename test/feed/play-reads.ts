import { expect } from 'vitest';
import type { FeedOrder } from '../../src/domains/feed/index.js';
import { type FeedWorld, viewerOf } from './feed-world.js';
import { type FeedModel, type ModelPost, sayingOf } from './model.js';

/** Reads whole feeds, and compares them with what the model says of them. */
export class ReadComparison {
  constructor(
    private readonly world: FeedWorld,
    private readonly model: FeedModel,
  ) {}

  /** @param meanwhile runs between two pages: others write */
  async read(
    viewer: string,
    order: FeedOrder,
    limit: number,
    meanwhile?: () => Promise<void>,
  ): Promise<void> {
    const before = this.model.eligible(viewer, Date.now());
    const pages = await this.page(viewer, order, limit, meanwhile);
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
    if (meanwhile) return;
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

  private async page(
    viewer: string,
    order: FeedOrder,
    limit: number,
    meanwhile?: () => Promise<void>,
  ): Promise<string[][]> {
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
      await meanwhile?.();
    }
  }
}
