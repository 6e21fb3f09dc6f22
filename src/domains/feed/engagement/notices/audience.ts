import type { OutboxEntry } from '../../../../platform/outbox/index.js';
import type { Queryable, RowOf } from '../../../../platform/postgres/postgres.js';
import type { RelationCache } from '../../graph/relations.js';
import type { ContentPolicy } from '../../posts/content-policy.js';
import type { PostStore } from '../../posts/post-store.js';
import { mayBeQuoted, mayBeShown } from '../../read/rules.js';
import { hydrate } from '../../read/steps.js';
import { sql } from './audience.sql.js';
import type { Notice, NoticeType } from './notices.js';

const audiences = {
  POST_LIKED: sql.liked,
  POST_COMMENTED: sql.commented,
  COMMENT_REPLY: sql.replied,
  POST_SHARED: sql.shared,
  NEW_POST: sql.published,
  NEW_FOLLOWER: sql.followed,
  USER_MENTIONED: sql.mentioned,
} satisfies Record<NoticeType, unknown>;

/** A recipient, and what they would be notified of: a post, and the comment on it that is quoted; null: nothing of the kind. */
type Recipient = RowOf<typeof sql.liked>;

/** A notice with its recipients: one at least. */
export interface Addressed {
  readonly entry: OutboxEntry<Notice>;
  /** The same however often it is asked for: at most 64 characters. */
  readonly notificationId: string;
  readonly recipients: readonly Pick<Recipient, 'userId' | 'variables'>[];
  /** Where it may be sent as one with others about the same: what it is about, and who acted. */
  readonly group?: { readonly key: string; readonly actorId: string; readonly actorName: string };
}

/** Types of which several about the same post are sent as one. */
const GROUPED: readonly NoticeType[] = ['POST_LIKED'];

export interface AudienceDeps {
  readonly postgres: Queryable;
  readonly relations: RelationCache;
  readonly posts: PostStore;
  readonly contentPolicy: ContentPolicy;
  readonly hiddenLabels: ReadonlySet<string>;
}

/**
 * The recipients of these notices now, without those whose feed would hide them. One statement a type; notices without
 * recipients are absent.
 */
export async function findAudiences(
  deps: AudienceDeps,
  entries: readonly OutboxEntry<Notice>[],
): Promise<readonly Addressed[]> {
  const byType = [...Map.groupBy(entries, ({ payload }) => payload.type)];
  return (await Promise.all(byType.map(([type, some]) => findAudience(deps, type, some)))).flat();
}

async function findAudience(
  deps: AudienceDeps,
  type: NoticeType,
  entries: readonly OutboxEntry<Notice>[],
): Promise<readonly Addressed[]> {
  const { rows } = await deps.postgres.query(audiences[type], [
    entries.map(({ payload }) => payload.actor),
    entries.map(({ payload }) => payload.subject),
    ...(type === 'USER_MENTIONED' ? [entries.map(({ payload }) => payload.position)] : []),
  ]);
  const shown = await withoutHidden(deps, rows);
  return [...Map.groupBy(shown, ({ n, key }) => `${n} ${key}`).values()].map((recipients) => ({
    entry: entries[recipients[0]!.n - 1]!,
    notificationId: `${type}:${recipients[0]!.key}`,
    recipients: recipients.map(({ userId, variables }) => ({ userId, variables })),
    ...(GROUPED.includes(type) && { group: groupOf(recipients[0]!) }),
  }));
}

const groupOf = ({ variables: { post_id, person_id, person } }: Recipient) => ({
  ...{ key: String(post_id), actorId: String(person_id), actorName: String(person) },
});

/**
 * Leaves out what the recipients' feeds hide from them, by the feed's own rules: posts and words that they muted, and what
 * content policy hides.
 */
async function withoutHidden(
  { posts, relations, contentPolicy, hiddenLabels }: AudienceDeps,
  recipients: readonly Recipient[],
): Promise<readonly Recipient[]> {
  const about = recipients.filter(({ postId }) => postId !== null);
  if (about.length === 0) return recipients;
  const postIds = [...new Set(about.map(({ postId }) => postId!))];
  const userIds = [...new Set(about.map(({ userId }) => userId))];
  const [subjects, relationsOfAll] = await Promise.all([
    hydrate({ posts }, postIds),
    Promise.all(userIds.map((userId) => relations.of(userId))),
  ]);
  const subjectOf = new Map(postIds.map((postId, index) => [postId, subjects[index]]));
  const viewOf = new Map(relationsOfAll.map((one) => [one.viewerId, { relations: one, hiddenLabels }]));
  return recipients.filter(({ userId, postId, comment }) => {
    if (postId === null) return true;
    const [subject, view] = [subjectOf.get(postId), viewOf.get(userId)!];
    if (!subject || !mayBeShown(subject, view)) return false;
    return comment === null || mayBeQuoted({ content: comment, labels: contentPolicy(comment) }, view);
  });
}
