import { type Post, REACTION_KINDS } from '../types.js';
import type { ContentType } from './predictor.js';

/** In characters: the rest does not change how well a post reads, and a score must not cost more for it. */
export const LOOKED_AT = 500;

/** What ranking reads from a post alone. */
export interface Traits {
  readonly type: ContentType;
  readonly quality: number;
  /** Of all kinds. */
  readonly reactions: number;
}

const known = new WeakMap<Post, Traits>();

/** Computed once for each object: a post that did not change is the same object. */
export function traitsOf(post: Post): Traits {
  const before = known.get(post);
  if (before) return before;
  const type = contentTypeOf(post);
  const traits = { type, quality: qualityOf(post, type), reactions: reactionsOf(post) };
  known.set(post, traits);
  return traits;
}

const reactionsOf = ({ reactionCounts: of }: Post): number =>
  REACTION_KINDS.reduce((sum, kind) => sum + count(of[kind]), 0);

/** What is not a number counts as 0. */
export const count = (value: number): number => (value >= 0 ? Math.min(Number.MAX_SAFE_INTEGER, value) : 0);

/** The first that applies: a share, then media, then text. */
export function contentTypeOf(post: Post): ContentType {
  if (post.sharedPostId) return 'share';
  if (post.media.length > 0) return post.media.some(({ kind }) => kind === 'video') ? 'video' : 'image';
  return /https?:\/\//.test(post.content.slice(0, LOOKED_AT)) ? 'link' : 'text';
}

/** A text of this many characters is complete. */
const FULL_TEXT = 140;
const SHOUTED_FROM = 20;
const TAGS = 5;

/**
 * A post's quality, 0 to 1: six tenths for text of 140 characters or more, in proportion for less; four tenths for media, a
 * link or a shared post. Halved where it is in capitals, halved for more than 5 tags, mentions and links.
 */
export function qualityOf(post: Post, type: ContentType): number {
  const text = post.content.slice(0, LOOKED_AT);
  const made = 0.6 * Math.min(1, text.trim().length / FULL_TEXT) + (type === 'text' ? 0 : 0.4);
  return made * (isShouted(text) ? 0.5 : 1) * (isTagged(text) ? 0.5 : 1);
}

function isShouted(text: string): boolean {
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  return capitals >= SHOUTED_FROM && capitals > 2 * (text.match(/\p{Ll}/gu)?.length ?? 0);
}

const isTagged = (text: string): boolean => (text.match(/(?:^|\s)(?:[#@]\w|https?:)/g)?.length ?? 0) > TAGS;
