import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import { createLoadingCache } from '../../../platform/cache/loading-cache.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, PublicError, type Result, refused } from '../../../platform/errors.js';
import type { Postgres, Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { isCancelled } from '../../../platform/postgres/postgres-cancel.js';
import { currentReader } from '../../../platform/wake-ups/reader.js';
import { aboutSegment, narrowedAudience } from './audience.js';
import { sql as statements } from './audience.sql.js';
import { checkFilter, type Segment } from './check-filter.js';

/** How many users a segment has, and some of them. */
export interface SegmentEstimate {
  /**
   * Exact where an index finds at most 10,000 users who may match, and where the table of users has at most 1,000 blocks, which are
   * about 70,000 users. Else projected from a sample of as many blocks.
   */
  readonly count: number;
  /** Ids of up to 10 users who match, of those that were looked at. */
  readonly sample: readonly string[];
}

/** Of users, in blocks of Postgres: what one estimate looks at. */
const SAMPLED_BLOCKS = 1_000;
/** Users whom an index finds are looked at one by one up to this. */
const COUNTED = 10_000;
const SAMPLE = 10;
/** An estimate is answered again for so long. */
const LIFETIME_MS = 30_000;
const MAX_KEPT = 200;
/** A process makes so many at once: each may look at 70,000 users. */
const AT_ONCE = 2;
const MOST_WAITING = 50;
/** One statement of an estimate. */
const STATEMENT_SECONDS = 5;

/**
 * Estimates of segments, kept for 30 s by their canonical text. Two are made at once, in the order in which they were asked for; who
 * leaves meanwhile gives up their turn.
 */
export interface Estimates {
  /**
   * Refused as `checkFilter` refuses, or with FILTER_TOO_SLOW.
   *
   * @throws PublicError SERVICE_UNAVAILABLE where 50 wait already
   */
  estimate(filter: string, path: readonly string[]): Promise<Result<SegmentEstimate>>;
  /** The same of a filter that was checked. */
  estimateOf(segment: Segment, path: readonly string[]): Promise<Result<SegmentEstimate>>;
  /** What is asked from now on sees what this process has written. */
  forget(): void;
}

export function createEstimates(deps: { readonly postgres: Postgres; readonly clock: Clock }): Estimates {
  const kept = createLoadingCache<SegmentEstimate>({ maxSize: MAX_KEPT, lifetimeOf: () => LIFETIME_MS });
  const turns = bulkhead(AT_ONCE, MOST_WAITING);

  function inTurn(segment: Segment): Promise<SegmentEstimate> {
    const signal = currentReader()?.signal;
    // Cockatiel takes a signal too, but nobody would come after one who left their turn.
    return turns.execute(() => {
      if (signal?.aborted) throw new PublicError('SERVICE_UNAVAILABLE', 'The client has gone');
      return kept.get(segment.filter, () => estimateWithin(deps.postgres, segment));
    });
  }

  async function estimateOf(segment: Segment, path: readonly string[]): Promise<Result<SegmentEstimate>> {
    try {
      return ok(kept.peek(segment.filter) ?? (await inTurn(segment)));
    } catch (error) {
      if (isCancelled(error)) {
        const message = `To count whom the filter means took longer than ${STATEMENT_SECONDS} s: ask fewer questions, or try again`;
        return refused('FILTER_TOO_SLOW', message, path);
      }
      throw isBulkheadRejectedError(error)
        ? new PublicError('SERVICE_UNAVAILABLE', 'Too many estimates wait for the database')
        : error;
    }
  }

  return {
    async estimate(filter, path) {
      const segment = await checkFilter(deps, filter, path);
      return segment.ok ? estimateOf(segment.value, path) : segment;
    },
    estimateOf,
    forget: () => kept.forgetAll(),
  };
}

/** Nobody has signed up after this. */
const EVERYBODY = new Date('9999-12-31T00:00:00Z');

const estimateWithin = (postgres: Postgres, segment: Segment): Promise<SegmentEstimate> =>
  postgres.transaction(async (tx) => {
    await tx.query(statements.boundStatements, [`${STATEMENT_SECONDS}s`]);
    return estimateSegment(tx, segment);
  });

async function estimateSegment(postgres: Queryable, segment: Segment): Promise<SegmentEstimate> {
  const found = await narrowedAudience(postgres, segment, COUNTED, EVERYBODY);
  return found ? { count: found.length, sample: evenly(found) } : sampled(postgres, segment);
}

/** Some of many, over their whole length. */
const evenly = (userIds: readonly string[]): readonly string[] =>
  Array.from(
    { length: Math.min(SAMPLE, userIds.length) },
    (_, index) => userIds[Math.floor((index * userIds.length) / Math.min(SAMPLE, userIds.length))]!,
  );

async function sampled(postgres: Queryable, segment: Segment): Promise<SegmentEstimate> {
  const { rows: sizes } = await postgres.query(statements.size);
  const share = Math.min(1, SAMPLED_BLOCKS / Math.max(1, sizes[0]!.blocks));
  const { rows } = await postgres.query<RowOf<typeof statements.sampled>>(
    aboutSegment(statements.sampled, segment, 3),
    [100 * share, SAMPLE, ...segment.values],
  );
  const { looked, matching, sample } = rows[0]!;
  return {
    count: share === 1 ? matching : project(matching, looked, totalOf(sizes[0]!, looked / share)),
    sample,
  };
}

/**
 * How many users there are: as many in each block as when the table was last looked through.
 *
 * @param bySample what the sample says where that was never
 */
export const totalOf = (
  { blocks, countedRows, countedBlocks }: RowOf<typeof statements.size>,
  bySample: number,
): number => (countedRows > 0 && countedBlocks > 0 ? (countedRows / countedBlocks) * blocks : bySample);

/** As many of all as of those that were looked at, in proportion; never fewer than were found. */
export const project = (matching: number, looked: number, total: number): number =>
  looked === 0 ? 0 : Math.max(matching, Math.round((matching / looked) * total));
