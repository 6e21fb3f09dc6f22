import DataLoader from 'dataloader';
import { forEverybody } from '../../../platform/wake-ups/reader.js';
import type { RelationCache } from '../graph/relations.js';
import type { PostStore } from '../posts/post-store.js';
import { mayStay, type Subject } from '../read/rules.js';
import { hydrate } from '../read/steps.js';

export type Audience = ReturnType<typeof createAudience>;

/** Which subscribers get a post: those whose feed would show it. */
export function createAudience(deps: {
  relations: RelationCache;
  posts: PostStore;
  /** Labels of content policy that hide a post. */
  hiddenLabels: ReadonlySet<string>;
}) {
  // One post goes to thousands in one instant: it is looked up once for all calls of one tick. Nothing is kept longer,
  // since it may have changed before the next call.
  const subjects = new DataLoader((postIds: readonly string[]) => forEverybody(() => lookUp(postIds)), {
    cache: false,
  });

  async function lookUp(postIds: readonly string[]): Promise<(Subject | undefined)[]> {
    const unique = [...new Set(postIds)];
    const found = await hydrate(deps, unique);
    const byId = new Map(unique.map((postId, index) => [postId, found[index]]));
    return postIds.map((postId) => byId.get(postId));
  }

  return {
    /** Loads what `among` will need of the viewer. */
    expect: (viewerId: string): Promise<unknown> => deps.relations.of(viewerId),

    /** Which of these posts the viewer's feed would show now. */
    async among(viewerId: string, postIds: readonly string[]): Promise<ReadonlySet<string>> {
      if (postIds.length === 0) return new Set();
      const [relations, found] = await Promise.all([
        deps.relations.of(viewerId),
        Promise.all(postIds.map((postId) => subjects.load(postId))),
      ]);
      const view = { relations, hiddenLabels: deps.hiddenLabels };
      return new Set(
        postIds.filter((_, index) => {
          const subject = found[index];
          return subject !== undefined && mayStay(subject, view);
        }),
      );
    },
  };
}
