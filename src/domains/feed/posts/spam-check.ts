import type { Queryable } from '../../../platform/postgres/postgres.js';
import { isBlank } from '../../../platform/text.js';
import { sql } from './spam-check.sql.js';

/** A text that is about to be published. */
export interface Draft {
  readonly authorId: string;
  readonly content: string;
  /** The post that it shares, if it shares one. */
  readonly sharedPostId?: string;
  /** Set where an existing post gets another text. */
  readonly editedPostId?: string;
}

/** Why a draft is spam, in one sentence for its author; null where it is none. The name under which it is replaced. */
export type SpamCheck = (draft: Draft) => Promise<string | null>;

const MAX_LINKS = 10;
const MAX_REPEATS = 5;
const REPEATS_WITHIN_MINUTES = 10;

/**
 * The default: more than 10 links, or the sixth post by one author within 10 minutes that has the same text or, without
 * a text, shares the same post.
 */
export const createSpamCheck =
  (deps: { postgres: Queryable }): SpamCheck =>
  async ({ authorId, content, sharedPostId, editedPostId }) => {
    if ((content.match(/\bhttps?:\/\/|\bwww\./giu)?.length ?? 0) > MAX_LINKS) {
      return `A post has at most ${MAX_LINKS} links`;
    }
    const isPlain = isBlank(content);
    if (editedPostId !== undefined || (isPlain && sharedPostId === undefined)) return null;
    const { rows } = await deps.postgres.query(isPlain ? sql.countShares : sql.countRepeats, [
      authorId,
      isPlain ? sharedPostId : content,
      REPEATS_WITHIN_MINUTES,
      MAX_REPEATS,
    ]);
    return rows[0]!.repeats < MAX_REPEATS
      ? null
      : `The same ${isPlain ? 'post' : 'text'} at most ${MAX_REPEATS} times within ${REPEATS_WITHIN_MINUTES} minutes`;
  };
