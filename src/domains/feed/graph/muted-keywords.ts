import type { Caller } from '../../../platform/auth/caller.js';
import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { hasAtMost, inForm, isBlank, isStorable, toStoredText } from '../../../platform/text.js';
import { append } from '../events.js';
import { feedProjections } from '../inline-projections.js';
import { sql } from './muted-keywords.sql.js';
import type { RelationCache } from './relations.js';

const MAX_KEYWORDS = 100;
/** In characters, as a reader counts them. */
const MAX_KEYWORD = 100;

/** The keywords that keep posts out of a user's feed, as they wrote them. */
export async function findMutedKeywords(deps: { postgres: Queryable }, userId: string): Promise<string[]> {
  const { rows } = await deps.postgres.query(sql.keywordsOf, [userId]);
  return rows[0]?.keywords ?? [];
}

/**
 * Replaces the caller's muted keywords; an empty list mutes none. Surrounding space goes, and of two that differ by case
 * alone the first stays. Codes: TOO_MANY_KEYWORDS, KEYWORD_EMPTY, KEYWORD_TOO_LONG, KEYWORD_INVALID.
 */
export async function setMutedKeywords(
  deps: { log: EventLog; relations: Pick<RelationCache, 'invalidate'> },
  caller: Caller,
  given: readonly string[],
): Promise<Result<readonly string[]>> {
  if (given.length > MAX_KEYWORDS) {
    return refused('TOO_MANY_KEYWORDS', `At most ${MAX_KEYWORDS} keywords`, ['input', 'keywords']);
  }
  const stored = given.map((keyword) => toStoredText(keyword.trim(), MAX_KEYWORD));
  const faults = stored.flatMap((keyword, index) => keywordFault(keyword, index) ?? []);
  if (faults.length > 0) return refusedAll(faults);
  const keywords = withoutRepeats(stored);
  const { userId } = caller.viewer;
  const event = { type: 'MutedKeywordsSet', data: { userId, version: 1 } } as const;
  const projection = feedProjections.call('set_muted_keywords', { userId, keywords });
  const result = await append(deps, caller, event, projection);
  if (result.kind !== 'accepted') throw new Error(`muted keywords were not accepted: ${result.kind}`);
  // The projector does it again, for a process that was killed here.
  await deps.relations.invalidate([userId]);
  return ok(keywords);
}

function keywordFault(text: string, index: number): UserError | undefined {
  const path = ['input', 'keywords', String(index)];
  if (isBlank(text)) return { code: 'KEYWORD_EMPTY', message: 'A keyword needs a character', path };
  if (!hasAtMost(text, MAX_KEYWORD))
    return { code: 'KEYWORD_TOO_LONG', message: `A keyword has at most ${MAX_KEYWORD} characters`, path };
  if (!isStorable(text))
    return { code: 'KEYWORD_INVALID', message: 'A keyword is well-formed text without NUL', path };
  return undefined;
}

function withoutRepeats(keywords: readonly string[]): string[] {
  const seen = new Set<string>();
  return keywords.filter((keyword) => {
    const folded = inForm(keyword, 'NFKC').toLowerCase();
    return !seen.has(folded) && seen.add(folded);
  });
}
