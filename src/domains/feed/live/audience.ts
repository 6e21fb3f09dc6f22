import { LRUCache } from 'lru-cache';
import type { RelationCache } from '../graph/relations.js';
import type { PostStore } from '../posts/post-store.js';
import { mayStay, type Subject } from '../read/rules.js';
import { hydrate } from '../read/steps.js';

/** One post is told to thousands within moments: it is looked up once for all of them, and may have changed since. */
const REMEMBERED_MS = 1_000;
const REMEMBERED = 1_000;

/** Who is told of a post: whoever's feed would show it. */
export interface Audience {
  /** The viewer will be asked about. */
  expect(viewerId: string): Promise<unknown>;
  /** Which of these posts the viewer's feed would show now. */
  among(viewerId: string, postIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createAudience(deps: {
  relations: RelationCache;
  posts: PostStore;
  config: { readonly hiddenLabels: readonly string[] };
}): Audience {
  const hiddenLabels = new Set(deps.config.hiddenLabels);
  const recent = new LRUCache<string, Promise<Subject | undefined>>({ max: REMEMBERED, ttl: REMEMBERED_MS });

  function lookUp(postIds: readonly string[]): Promise<(Subject | undefined)[]> {
    const known = new Map(postIds.map((postId) => [postId, recent.get(postId)]));
    const unknown = postIds.filter((postId) => known.get(postId) === undefined);
    if (unknown.length > 0) {
      const found = hydrate(deps, unknown);
      for (const [index, postId] of unknown.entries()) {
        const subject = found.then((subjects) => subjects[index]);
        subject.catch(() => recent.delete(postId));
        recent.set(postId, subject);
        known.set(postId, subject);
      }
    }
    return Promise.all(postIds.map((postId) => known.get(postId)));
  }

  return {
    expect: (viewerId) => deps.relations.of(viewerId),

    async among(viewerId, postIds) {
      if (postIds.length === 0) return new Set();
      const [relations, subjects] = await Promise.all([deps.relations.of(viewerId), lookUp(postIds)]);
      const view = { relations, hiddenLabels };
      return new Set(
        postIds.filter((_, index) => {
          const subject = subjects[index];
          return subject !== undefined && mayStay(subject, view);
        }),
      );
    },
  };
}
