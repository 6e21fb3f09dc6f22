import type { Clock } from '../../../platform/clock.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Freshness } from '../freshness.js';
import { sql as statements } from './idle.sql.js';

/** A device that did not register for so long is not pushed to: its app is gone, or nobody opens it. */
const IDLE_AFTER_MS = 60 * 86_400_000;
/** One that is inactive is still listed for so long. */
const GONE_AFTER_MS = 365 * 86_400_000;
/** Who is idle changes by the day; looking at everybody more often is work for nothing. */
const ROUND_EVERY_MS = 86_400_000;
/** Devices that one call looks at, at most. A run is one call: a round through 1.4 million takes a day. */
const PAGE = 1_000;

/**
 * Makes devices inactive that were not seen for 60 days, and deletes inactive ones that were not seen for a year. Each call looks at the next devices of a round; once all were
 * looked at, the next round begins a day after this one did.
 *
 * @returns looks at no more than `limit` devices and answers how many it looked at
 */
export function restIdleDevices(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly freshness: Pick<Freshness, 'userChanged'>;
}): (limit: number) => Promise<number> {
  let after: readonly [user: string, device: string] = ['', ''];
  let nextRound = Number.NEGATIVE_INFINITY;

  return async (limit) => {
    const now = deps.clock.now();
    const isAtStart = after[0] === '';
    if (isAtStart && now < nextRound) return 0;
    if (isAtStart) nextRound = now + ROUND_EVERY_MS;
    const most = Math.min(limit, PAGE);
    const { rows } = await deps.postgres.query(statements.restPage, [
      ...after,
      most,
      new Date(now - IDLE_AFTER_MS),
      new Date(now - GONE_AFTER_MS),
    ]);
    const page = rows[0];
    const looked = page?.looked ?? 0;
    after = page && looked === most ? [page.userId, page.deviceId] : ['', ''];
    await Promise.all((page?.rested ?? []).map((userId) => deps.freshness.userChanged(userId)));
    return looked;
  };
}
