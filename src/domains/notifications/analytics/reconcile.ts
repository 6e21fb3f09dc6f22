import type { Clock } from '../../../platform/clock.js';
import type { Postgres, Queryable } from '../../../platform/postgres/postgres.js';
import { type CampaignRollups, recountCampaigns, replaceCampaignRollups } from './campaign-rollups.js';
import { BUCKET_BOUNDS_MS } from './latencies.js';
import { sql as statements } from './recount.sql.js';
import { counterOf, type Rollup, rollUp } from './rollup.js';
import { addUp, DAY_MS, HOUR_MS, MINUTE_MS, readRollups, replaceRollups, startOf } from './rollups.js';
import { type Ending, readState, reopenFuture, take } from './state.js';

/** A minute is closed once it has been over for so long, and settled once nothing of it can be committed any more. */
const ENDS_AFTER_MS: Readonly<Record<Ending, number>> = { close: 2 * MINUTE_MS, settle: 15 * MINUTE_MS };
/** After an outage there may be days to count: the next run goes on. */
const BUDGET_MS = 5_000;

/**
 * Counts minutes that are over from delivery_events, whatever the stream has published of them, and replaces what was counted.
 * Goes on where it came to the last time, a minute at a time, for 5 s at most. Killed at any line, or done by several at
 * once, each minute is counted once. Then it adds up hours to days.
 */
export async function reconcile(
  { postgres, clock }: { readonly postgres: Postgres; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const until = {
    close: startOf(now - ENDS_AFTER_MS.close, MINUTE_MS),
    settle: startOf(now - ENDS_AFTER_MS.settle, MINUTE_MS),
  };
  await reopenFuture(postgres, now, until.settle);
  const latest = performance.now() + BUDGET_MS;
  for (const ending of ['close', 'settle'] as const) {
    let hasMore = true;
    while (hasMore && !signal.aborted && performance.now() < latest) {
      hasMore = await endNext(postgres, ending, until[ending]);
    }
  }
  while (!signal.aborted && performance.now() < latest && (await addUpNext(postgres)));
}

/**
 * Adds up the next day whose hours are all settled, by whichever worker: those of former versions make no days.
 *
 * @returns whether there may be more
 */
async function addUpNext(postgres: Postgres): Promise<boolean> {
  const { settledUntil, daysUntil } = await readState(postgres);
  const from = daysUntil.getTime();
  const until = from + DAY_MS;
  if (until > settledUntil.getTime()) return false;
  return postgres.transaction(async (tx) => {
    const isOurs = await take(tx, 'addUpDay', from, until);
    if (isOurs) await addUp(tx, HOUR_MS, DAY_MS, from);
    return isOurs;
  });
}

/**
 * Ends the next minute; a stretch of an hour in which nothing happened, at once.
 *
 * @param limit until when minutes may be ended
 * @returns whether there may be more to end
 */
async function endNext(postgres: Postgres, ending: Ending, limit: number): Promise<boolean> {
  const { closedUntil, settledUntil } = await readState(postgres);
  const from = (ending === 'close' ? closedUntil : settledUntil).getTime();
  const last = ending === 'close' ? limit : Math.min(limit, closedUntil.getTime());
  if (from >= last) return false;
  const quiet = await quietUntil(postgres, from, Math.min(last, startOf(from, HOUR_MS) + HOUR_MS));
  const until = quiet ?? from + MINUTE_MS;
  const rollups = quiet === null ? await recount(postgres, ending, from) : nothing[ending];
  const campaigns: CampaignRollups =
    rollups && quiet === null ? await recountCampaigns(postgres, from) : new Map();
  return postgres.transaction(async (tx) => {
    const isOurs = await take(tx, ending, from, until);
    if (isOurs && rollups) {
      await replaceRollups(tx, MINUTE_MS, from, until, rollups);
      await replaceCampaignRollups(tx, from, until, campaigns);
    }
    if (isOurs && ending === 'settle' && until % HOUR_MS === 0)
      await addUp(tx, MINUTE_MS, HOUR_MS, startOf(from, HOUR_MS));
    return isOurs;
  });
}

/** What replaces what was counted of a stretch without events. History may have been let go of what is closed. */
const nothing: Readonly<Record<Ending, readonly Rollup[] | null>> = { close: [], settle: null };

/** Until when nothing happened; null where something did, or where it is about one minute alone. */
async function quietUntil(postgres: Queryable, from: number, until: number): Promise<number | null> {
  if (until - from <= MINUTE_MS) return null;
  const values = [new Date(from), new Date(until)];
  const { rows } = await postgres.query(statements.hasEvents, values);
  return rows[0]!.hasEvents ? null : until;
}

/** What happened in a minute; null where that is counted already. */
async function recount(
  postgres: Queryable,
  ending: Ending,
  minute: number,
): Promise<readonly Rollup[] | null> {
  if (ending === 'settle' && !(await hasLateEvents(postgres, minute))) return null;
  return countEvents(postgres, minute);
}

/** Events are only ever added: where there are as many as were counted, they are the same. */
async function hasLateEvents(postgres: Queryable, minute: number): Promise<boolean> {
  const values = [new Date(minute), new Date(minute + MINUTE_MS)];
  const { rows } = await postgres.query(statements.countEvents, values);
  const minutes = await readRollups(postgres, MINUTE_MS, minute, minute + MINUTE_MS);
  const counted = minutes
    .flatMap(({ counts }) => [...counts.values()])
    .reduce((sum, count) => sum + count, 0);
  return rows[0]!.events > counted;
}

async function countEvents(postgres: Queryable, minute: number): Promise<readonly Rollup[]> {
  const { rows } = await postgres.query(statements.recount, [
    new Date(minute),
    new Date(minute + MINUTE_MS),
    BUCKET_BOUNDS_MS,
  ]);
  return rollUp(
    rows.map(({ event, suspected, ...row }) => ({
      ...row,
      startsAt: minute,
      counter: counterOf(event, suspected),
    })),
  );
}
