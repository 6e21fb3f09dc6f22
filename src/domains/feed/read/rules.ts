import { isBlank } from '../../../platform/text.js';
import type { Relations } from '../graph/relations.js';
import { maySee } from '../posts/posts.js';
import type { Post } from '../types.js';
import { findsMutedKeyword, holdsMutedKeyword } from './muted-keywords.js';

/** A post that may be shown, with the one that it shares. */
export interface Subject {
  readonly post: Post;
  /** Null where it shares none, or where that is gone. */
  readonly original: Post | null;
}

/** Who looks at a post, and under which policy. */
export interface View {
  readonly relations: Relations;
  /** Labels of content policy that hide a post. */
  readonly hiddenLabels: ReadonlySet<string>;
}

type Rule = (subject: Subject, view: View) => boolean;

const isOwn = (post: Post, { relations }: View): boolean => post.author.userId === relations.viewerId;

const follows = (post: Post, { relations }: View): boolean => relations.follows.has(post.author.userId);

const isVisible = (post: Post, view: View): boolean =>
  maySee(post, view.relations.viewerId, follows(post, view));

const isMuted = (post: Post, { relations }: View): boolean => relations.muted.has(post.author.userId);
const isBlocked = (post: Post, { relations }: View): boolean => relations.blocked.has(post.author.userId);

/** A share that adds nothing of its own. */
const isPlain = (post: Post): boolean => isBlank(post.content) && post.media.length === 0;

const isAgainstPolicy = ({ labels }: Pick<Post, 'labels'>, { hiddenLabels }: View): boolean =>
  labels.some((label) => hiddenLabels.has(label));

/** Of the post, and of the one that it shares and shows. The viewer's own posts are never filtered. */
const ofAnyPart = (isSuch: (part: Post, view: View) => boolean): Rule => {
  const hides = (part: Post, view: View): boolean => isSuch(part, view) && !isOwn(part, view);
  return ({ post, original }, view) => hides(post, view) || (original !== null && hides(original, view));
};

const notFollowed: Rule = ({ post }, view) => !follows(post, view) && !isOwn(post, view);

/**
 * What hides a post that is in a feed's sources, by name. Relations are checked now: feeds and author timelines are hints.
 */
const hiding = {
  notFollowed,
  invisible: ({ post }, view) => !isVisible(post, view),
  muted: ofAnyPart(isMuted),
  blocked: ofAnyPart(isBlocked),
  /** A plain share of a post that is gone or may not be seen is empty. A quote still has its own words. */
  emptyShare: ({ post, original }, view) =>
    post.sharedPostId !== null && isPlain(post) && (original === null || !isVisible(original, view)),
  againstPolicy: ofAnyPart(isAgainstPolicy),
  mutedKeyword: ofAnyPart((post, { relations }) => holdsMutedKeyword(post, relations)),
} satisfies Record<string, Rule>;

const rules: readonly Rule[] = Object.values(hiding);
const rulesForAnyAuthor = rules.filter((rule) => rule !== notFollowed);

/** The rules for single posts. Near-identical content is decided for a whole window. */
export const mayStay = (subject: Subject, view: View): boolean => !rules.some((rule) => rule(subject, view));

/** As `mayStay`, for posts whose authors need not be followed. */
export const mayBeShown = (subject: Subject, view: View): boolean =>
  !rulesForAnyAuthor.some((rule) => rule(subject, view));

/** Whether another user's comment may be quoted to the viewer: by the rules about words. */
export const mayBeQuoted = (text: Pick<Post, 'content' | 'labels'>, view: View): boolean =>
  !isAgainstPolicy(text, view) && !findsMutedKeyword(view.relations)(text.content);
