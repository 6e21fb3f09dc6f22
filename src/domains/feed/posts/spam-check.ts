import { loadStatements, type Queryable } from '../../../platform/postgres.js';

const sql = loadStatements(new URL('./spam-check.sql', import.meta.url), ['countRepeats']);

/** What somebody is about to publish. */
export interface Draft {
  readonly authorId: string;
  readonly content: string;
  /** Set where an existing post gets another text. */
  readonly editedPostId?: string;
}

/** Why a draft is spam, in one sentence for its author; null where it is none. The name under which it is replaced. */
export type SpamCheck = (draft: Draft) => Promise<string | null>;

const MAX_LINKS = 10;
const MAX_REPEATS = 5;
const REPEATS_WITHIN_MINUTES = 10;

/** The default: more than 10 links, or the sixth post with the same text by one author within 10 minutes. */
export const createSpamCheck =
  (deps: { postgres: Queryable }): SpamCheck =>
  async ({ authorId, content, editedPostId }) => {
    if ((content.match(/\bhttps?:\/\/|\bwww\./giu)?.length ?? 0) > MAX_LINKS) {
      return `A post has at most ${MAX_LINKS} links`;
    }
    if (content.trim() === '' || editedPostId !== undefined) return null;
    const { rows } = await deps.postgres.query<{ repeats: number }>(sql.countRepeats, [
      authorId,
      content,
      REPEATS_WITHIN_MINUTES,
      MAX_REPEATS,
    ]);
    return rows[0]!.repeats < MAX_REPEATS
      ? null
      : `The same text at most ${MAX_REPEATS} times within ${REPEATS_WITHIN_MINUTES} minutes`;
  };
