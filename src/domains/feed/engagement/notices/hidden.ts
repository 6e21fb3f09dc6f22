import type { RelationCache } from '../../graph/relations.js';
import type { ContentPolicy } from '../../posts/content-policy.js';
import type { PostStore } from '../../posts/post-store.js';
import { mayBeQuoted, mayBeShown } from '../../read/rules.js';
import { hydrate } from '../../read/steps.js';

/** What a recipient would be notified of: a post, and the comment on it that is quoted. */
export interface Reported {
  readonly userId: string;
  /** Null: nothing that the recipient did not write. */
  readonly postId: string | null;
  /** Null: the post itself is quoted. */
  readonly comment: string | null;
}

export interface HiddenDeps {
  readonly relations: RelationCache;
  readonly posts: PostStore;
  readonly contentPolicy: ContentPolicy;
  readonly hiddenLabels: ReadonlySet<string>;
}

/**
 * Leaves out what the recipients' feeds hide from them, by the feed's own rules: posts and words that they muted, and what
 * content policy hides.
 */
export async function withoutHidden<Row extends Reported>(
  deps: HiddenDeps,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const about = rows.filter(({ postId }) => postId !== null);
  if (about.length === 0) return rows;
  const postIds = [...new Set(about.map(({ postId }) => postId!))];
  const userIds = [...new Set(about.map(({ userId }) => userId))];
  const [subjects, relations] = await Promise.all([
    hydrate(deps, postIds),
    Promise.all(userIds.map((userId) => deps.relations.of(userId))),
  ]);
  const subjectOf = new Map(postIds.map((postId, index) => [postId, subjects[index]]));
  const viewOf = new Map(
    relations.map((one) => [one.viewerId, { relations: one, hiddenLabels: deps.hiddenLabels }]),
  );
  return rows.filter(({ userId, postId, comment }) => {
    if (postId === null) return true;
    const [subject, view] = [subjectOf.get(postId), viewOf.get(userId)!];
    if (!subject || !mayBeShown(subject, view)) return false;
    return comment === null || mayBeQuoted({ content: comment, labels: deps.contentPolicy(comment) }, view);
  });
}
