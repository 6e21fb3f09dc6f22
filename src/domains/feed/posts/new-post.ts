import { type Caller, metadataOf, scopedCommandId } from '../../../platform/auth/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { AppendResult, EventLog, JsonObject } from '../../../platform/event-log/index.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Queues } from '../../../platform/queues/queues.js';
import type { AuthorTimelines } from '../cache/author-timelines.js';
import type { FeedCache } from '../cache/feed-cache.js';
import type { FeedConfig } from '../config.js';
import type { Counts } from '../engagement/counts.js';
import { appendOf } from '../events.js';
import type { RelationCache } from '../graph/relations.js';
import { feedProjections } from '../inline-projections.js';
import { turnsOf } from '../links/index.js';
import { firstLinkIn } from '../links/link-in.js';
import { enqueueLinkPreviews } from '../links/preview-task.js';
import { type Post, placeOf, type Visibility } from '../types.js';
import { sql } from './commands.sql.js';
import type { ContentPolicy } from './content-policy.js';
import { NO_SUCH_MEDIA } from './faults.js';
import { fingerprintOf } from './fingerprint.js';
import { mentionedIn, mentionsIn } from './mentions.js';
import type { PostStore } from './post-store.js';
import type { SpamCheck } from './spam-check.js';

export interface NewPostDeps {
  readonly log: EventLog;
  readonly postgres: Queryable;
  readonly ids: Ids;
  readonly posts: PostStore;
  readonly cache: Pick<FeedCache, 'place'>;
  readonly authorTimelines: Pick<AuthorTimelines, 'place'>;
  readonly relations: Pick<RelationCache, 'pulledAuthorsChanged'>;
  readonly counts: Pick<Counts, 'publish'>;
  readonly spamCheck: SpamCheck;
  readonly contentPolicy: ContentPolicy;
  readonly config: Pick<FeedConfig, 'linkPreviews'>;
  readonly queues: Pick<Queues, 'enqueueMany'>;
}

/** Everything that makes a new post. */
export interface NewPost {
  readonly operation: 'publishPost' | 'sharePost';
  /** What the idempotency key stands for. */
  readonly body: JsonObject;
  readonly idempotencyKey: string | null;
  readonly content: string;
  readonly visibility: Visibility;
  readonly mediaIds: readonly string[];
  /** The post that it shares, and the post through which: that one itself, or a share of it. */
  readonly shares: { readonly postId: string; readonly via: string } | null;
}

/** Appends the event, then updates caches, so that the author sees the post at once. */
export async function publish(deps: NewPostDeps, caller: Caller, draft: NewPost): Promise<Result<Post>> {
  const commandId = draft.idempotencyKey
    ? scopedCommandId(caller, draft.operation, draft.idempotencyKey)
    : deps.ids.next();
  const { content, shares } = draft;
  const shared = shares && { sharedPostId: shares.postId };
  const reason = await deps.spamCheck({ authorId: caller.viewer.userId, content, ...shared });
  if (reason !== null && !(await isRepeat(deps, draft, commandId))) {
    return refused('CONTENT_REJECTED', reason, ['input', 'content']);
  }
  const found = foundIn(deps, content);
  const result = await deps.log.append(commandOf(caller, draft, commandId, deps.ids.next(), found));
  if (result.kind !== 'accepted') return refusal(result);
  const postId = result.value.postId as string;
  const [post] = await deps.posts.find([postId]);
  if (post && !result.repeated) {
    await show(deps, post, result.value.firstPulled === true);
    if (found.link !== null) void enqueueLink(deps, caller, postId);
  }
  return post ? ok(post) : refused('NOT_FOUND', 'The post of this idempotency key is gone');
}

/** A repeat of an accepted command is no spam: the log answers its first result. */
async function isRepeat(deps: NewPostDeps, draft: NewPost, commandId: string): Promise<boolean> {
  if (!draft.idempotencyKey) return false;
  const { rows } = await deps.postgres.query(sql.isKnownCommand, [commandId]);
  return rows[0]!.known;
}

function commandOf(
  caller: Caller,
  draft: NewPost,
  commandId: string,
  postId: string,
  found: ReturnType<typeof foundIn>,
) {
  const { content, visibility, mediaIds, shares } = draft;
  const authorId = caller.viewer.userId;
  const post = { postId, authorId, content, visibility, ...mentionedIn(mentionsIn(content)) };
  return {
    commandId,
    body: draft.body,
    appends: [
      appendOf({
        type: 'PostPublished',
        data: {
          ...post,
          ...(mediaIds.length > 0 && { mediaIds }),
          ...(shares && { sharedPostId: shares.postId }),
          version: 1,
        },
      }),
    ],
    metadata: metadataOf(caller, commandId),
    inlineProjection: feedProjections.call('publish_post', {
      ...post,
      mediaIds,
      sharedPostId: shares?.postId ?? null,
      viaPostId: shares?.via ?? null,
      ...found,
    }),
    value: { postId },
  };
}

/** What is stored of a text besides the text. */
export const foundIn = (
  { config, contentPolicy }: Pick<NewPostDeps, 'config' | 'contentPolicy'>,
  content: string,
) => ({
  /** Null where it has none, or previews are off. */
  link: config.linkPreviews ? firstLinkIn(content) : null,
  labels: contentPolicy(content),
  fingerprint: fingerprintOf(content)?.toString() ?? null,
});

/** Enqueues the fetch of the link's preview, whose row the command wrote; the schedule enqueues again what fails. */
export async function enqueueLink(
  deps: Pick<NewPostDeps, 'postgres' | 'queues'>,
  { correlationId }: Caller,
  postId: string,
): Promise<void> {
  await turnsOf(deps.postgres, [postId])
    .then((due) => enqueueLinkPreviews(deps.queues, due, correlationId))
    .catch(() => undefined);
}

/** Done at once, so that authors read their own writes; the projectors of PostPublished do it again. */
async function show(deps: NewPostDeps, post: Post, firstPulled: boolean): Promise<void> {
  const place = placeOf(post);
  const authorId = post.author.userId;
  const isPulled = post.distribution === 'pull' && post.visibility !== 'private';
  await Promise.all([
    deps.posts.refresh([post.postId]),
    deps.cache.place(authorId, place),
    isPulled && deps.authorTimelines.place(authorId, place),
    firstPulled && deps.relations.pulledAuthorsChanged(),
    post.sharedPostId && deps.counts.publish([post.sharedPostId]),
  ]);
}

/** After these posts were published: makes readers know the authors whose posts are pulled from now on. */
export async function announcePulledAuthors(
  deps: Pick<NewPostDeps, 'postgres' | 'relations'>,
  postIds: readonly string[],
): Promise<void> {
  if (postIds.length === 0) return;
  const { rows } = await deps.postgres.query(sql.isTurn, [postIds]);
  if (rows[0]!.turned) await deps.relations.pulledAuthorsChanged();
}

function refusal(result: Exclude<AppendResult, { kind: 'accepted' }>): Result<never> {
  switch (result.kind) {
    case 'command-id-reused':
      return refused('IDEMPOTENCY_KEY_REUSED', 'This key stands for another post', [
        'input',
        'idempotencyKey',
      ]);
    case 'refused':
      return refused(result.code, refusals[result.code] ?? result.code, pathOf(result));
    case 'conflict':
      throw new Error(`a new post's stream ${result.streamId} exists`);
  }
}

const refusals: Readonly<Record<string, string>> = {
  AUTHOR_NOT_FOUND: 'The author has no profile',
  NOT_FOUND: 'There is no such post',
  NOT_SHAREABLE: 'Only its author can share a post that is not public',
  MEDIA_NOT_FOUND: NO_SUCH_MEDIA,
  MEDIA_FAILED: 'This file could not be processed',
};

function pathOf({ code, detail }: { code: string; detail: JsonObject }): readonly string[] | undefined {
  if (code.startsWith('MEDIA_')) return ['input', 'mediaIds', String(detail.index)];
  return code === 'AUTHOR_NOT_FOUND' ? undefined : ['input', 'postId'];
}
