import type { Queryable, RowOf, Statement } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './audience.sql.js';
import type { Segment } from './check-filter.js';
import type { Narrowing } from './narrow.js';

/** A page of an audience. */
export interface AudiencePage {
  /** Those who match, in the order of the walk; there may be none on a page that is not the last. */
  readonly userIds: readonly string[];
  /** What to pass as `after` to go on; null at the end. */
  readonly next: string | null;
  /** An index has found them: it finds those after any other user as well. */
  readonly isNarrowed: boolean;
}

/**
 * The users of a segment, in the order of their ids: looks at `limit` users at most after the user `after`, and answers those who
 * match and whose account was created before `createdBefore`. Where it may be `narrowed`, and an index finds no more than `limit` users
 * who may match at all, those after the user `after` are the only page. One statement a page, or two where the index finds too many.
 */
export async function audiencePage(
  postgres: Queryable,
  segment: Segment,
  page: {
    readonly after: string | null;
    readonly limit: number;
    readonly createdBefore: Date;
    /** Whether an index is asked first. Absent: on the first page alone. */
    readonly narrowed?: boolean;
  },
): Promise<AudiencePage> {
  const { after, limit, createdBefore, narrowed = after === null } = page;
  if (narrowed) {
    const few = await narrowedAudience(postgres, segment, limit, createdBefore, after);
    if (few) return { userIds: few, next: null, isNarrowed: true };
  }
  const text = statements.page.text.replace(CONDITION, () => segment.conditionFrom(4));
  const values = [after ?? '', limit, createdBefore, ...segment.values];
  const { rows } = await postgres.query<RowOf<typeof statements.page>>(text, values);
  const { userIds, last, looked } = rows[0]!;
  return { userIds, next: looked < limit ? null : last, isNarrowed: false };
}

/** Everybody who matches, after the user `after`, in the order of their ids, where an index finds at most `limit` who may; else null. */
export async function narrowedAudience(
  postgres: Queryable,
  segment: Segment,
  limit: number,
  createdBefore: Date,
  after: string | null = null,
): Promise<readonly string[] | null> {
  if (!segment.narrowing) return null;
  const first = 4 + segment.values.length;
  const text = statements.narrowed.text
    .replace(CONDITION, () => segment.conditionFrom(4))
    .replace(NARROWING, () => narrowingFrom(segment.narrowing!, first));
  const values = [limit + 1, createdBefore, after ?? '', ...segment.values, ...segment.narrowing.values];
  const { rows } = await postgres.query<RowOf<typeof statements.narrowed>>(text, values);
  const { userIds, found } = rows[0]!;
  return found > limit ? null : userIds;
}

/** A statement of audience.sql about a segment; its parameters come from `first` on. */
export const aboutSegment = ({ text }: Statement, segment: Segment, first: number): string =>
  text.replace(CONDITION, () => segment.conditionFrom(first));

const CONDITION = 'true /* condition */';
const NARROWING = 'user_attributes i WHERE true /* narrowing */';
const narrowingFrom = (narrowing: Narrowing, first: number): string =>
  `${narrowing.table} i WHERE ${narrowing.from(first)}`;
