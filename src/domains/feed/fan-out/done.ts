import type { Queryable } from '../../../platform/postgres.js';
import { sql } from './done.sql.js';

/** How far all fan-outs are finished. */
export interface FanOutsDone {
  /** The log position at and below which every fan-out is finished. */
  upTo(): Promise<number>;
}

/**
 * Fan-outs are noted in log order, with their projector's position: what is finished up to a position stays finished. So a
 * process looks on from where it looked last. It would meet every finished fan-out again that vacuum may not remove.
 */
export function createFanOutsDone({ postgres }: { readonly postgres: Queryable }): FanOutsDone {
  let known = 0;

  return {
    async upTo() {
      const from = known;
      const { rows } = await postgres.query(sql.doneUpTo, [from]);
      const { done, noted } = rows[0]!;
      // Below what is known: an earlier database was restored, in which nothing is.
      known = noted < from ? 0 : Math.max(known, done);
      return done;
    },
  };
}
