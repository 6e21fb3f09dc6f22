import type { Queryable, RowOf, Statement } from '../../../platform/postgres/postgres.js';
import { estimate, exactly, type Total } from '../../../platform/totals.js';
import { createLowerBounds } from '../delivery/lower-bounds.js';
import { type Channel, channels } from '../types.js';
import { sql as statements } from './backlog.sql.js';
import { type BacklogState, causeOf, shareOf, type WaitingStatus } from './share.js';

export { type BacklogState, backlogStates } from './share.js';

/** Deliveries that do not go on, of one channel, for one cause. */
export interface BacklogEntry {
  readonly channel: Channel;
  readonly state: BacklogState;
  readonly cause: string | null;
  readonly count: number;
  readonly countIsEstimate: boolean;
  /** Since when the oldest waits. */
  readonly since: Date;
  readonly oldestId: string;
}

/** So many of a channel and status are counted one by one. */
const COUNTED = 1_000;
/** Of so many of them it is looked at why they wait. */
const LOOKED = 200;

const STATUSES: readonly WaitingStatus[] = ['QUEUED', 'RETRYING', 'SCHEDULED'];
/** Before everything. */
const EVER = new Date(0);

/**
 * What is stuck and why, by channel and cause. It reads the ends of indexes of what waits, and never what is over: so much that it may
 * be asked every few seconds, however much waits.
 *
 * @param monotonicMs milliseconds of a clock that nobody sets
 */
export function createBacklog(postgres: Queryable, monotonicMs: () => number = () => performance.now()) {
  const bounds = createLowerBounds<Date>(monotonicMs);
  const from = (key: string): Date => bounds.of(key) ?? EVER;

  /** Counted, or estimated where they are more than were counted. */
  const totalOf = async (count: number, most: number, all: Statement, values: unknown[]): Promise<Total> =>
    count < most ? exactly(count) : estimate(postgres, all, values, most);

  async function waiting(): Promise<readonly BacklogEntry[]> {
    const asked = channels.flatMap((channel) => STATUSES.map((status) => ({ channel, status })));
    const { rows } = await postgres.query(statements.waiting, [
      asked.map(({ channel }) => channel),
      asked.map(({ status }) => status),
      asked.map(({ channel, status }) => from(`${channel}/${status}`)),
      COUNTED + 1,
      LOOKED,
    ]);
    for (const { channel, status, bound } of rows) bounds.saw(`${channel}/${status}`, bound);
    const some = rows.flatMap(someOf);
    const reasons = await reasonsOf(some);
    const entries = await Promise.all(
      some.map(async (row) => {
        const { channel, status } = row;
        const total = await totalOf(row.count, COUNTED + 1, statements.allWaiting, [channel, status]);
        return entriesOf(row, reasons, total);
      }),
    );
    return entries.flat();
  }

  /** When what is in a mailbox came there is known. */
  async function reasonsOf(rows: readonly Waiting[]): Promise<ReadonlyMap<string, ReasonRow>> {
    const asked = rows.flatMap(({ status, deliveryIds }) => (status === 'QUEUED' ? [] : deliveryIds));
    if (asked.length === 0) return new Map();
    const { rows: reasons } = await postgres.query(statements.reasons, [asked]);
    return new Map(reasons.map((reason) => [reason.deliveryId, reason]));
  }

  async function forDigests(): Promise<readonly BacklogEntry[]> {
    const { rows } = await postgres.query(statements.forDigests, [LOOKED]);
    const looked = rows.reduce((sum, { count }) => sum + count, 0);
    const found = rows[0]?.total ?? 0;
    const total =
      found <= LOOKED ? exactly(looked) : await estimate(postgres, statements.allForDigests, [], found);
    return rows.map(({ channel, count, since, oldestId }) => ({
      ...{ channel, state: 'DEFERRED' as const, cause: 'DIGESTED', since, oldestId },
      ...counted(count, looked, total),
    }));
  }

  async function dead(): Promise<readonly BacklogEntry[]> {
    const keys = channels.map((channel) => from(`${channel}/dead`));
    const { rows } = await postgres.query(statements.dead, [channels, keys, COUNTED + 1]);
    const byChannel = Map.groupBy(rows, ({ channel }) => channel);
    const entries = await Promise.all(
      [...byChannel].map(async ([channel, causes]) => {
        const [{ total: looked }] = causes as [RowOf<typeof statements.dead>];
        bounds.saw(`${channel}/dead`, earliest(causes.map(({ since }) => since)));
        const total = await totalOf(looked, COUNTED + 1, statements.allDead, [channel]);
        return causes.map(({ cause, count, since, oldestId }) => ({
          ...{ channel, state: 'DEAD' as const, cause, since, oldestId },
          ...counted(count, looked, total),
        }));
      }),
    );
    return entries.flat();
  }

  return async (): Promise<readonly BacklogEntry[]> => {
    const all = (await Promise.all([waiting(), forDigests(), dead()])).flat();
    return all.toSorted((one, other) => one.since.getTime() - other.since.getTime());
  };
}

/** Deliveries of a channel and status, of which there are some. */
interface Waiting {
  readonly channel: Channel;
  readonly status: WaitingStatus;
  readonly count: number;
  readonly dueAt: Date;
  readonly deliveryIds: readonly string[];
}

const someOf = ({ dueAt, deliveryIds, ...row }: RowOf<typeof statements.waiting>): Waiting[] =>
  dueAt && deliveryIds ? [{ ...row, dueAt, deliveryIds }] : [];

type ReasonRow = RowOf<typeof statements.reasons>;

/** What waits on a channel in a status, by cause. */
function entriesOf(
  { channel, status, dueAt, deliveryIds }: Waiting,
  reasons: ReadonlyMap<string, ReasonRow>,
  total: Total,
): readonly BacklogEntry[] {
  if (status === 'QUEUED') {
    const { count, isEstimate: countIsEstimate } = total;
    const oldest = { since: dueAt, oldestId: deliveryIds[0]! };
    return [{ channel, state: 'WAITING', cause: null, count, countIsEstimate, ...oldest }];
  }
  const caused = deliveryIds.flatMap((deliveryId) => {
    const reason = reasons.get(deliveryId);
    return reason ? [{ deliveryId, ...causeOf(status, reason) }] : [];
  });
  const groups = Map.groupBy(caused, ({ state, cause }) => `${state}/${cause}`);
  // What went on meanwhile is counted nowhere.
  const all = total.count > deliveryIds.length ? total : exactly(caused.length);
  return [...groups.values()].map((group) => {
    const oldest = group.reduce((one, other) => (other.since < one.since ? other : one));
    const { state, cause, since, deliveryId: oldestId } = oldest;
    return { ...{ channel, state, cause, since, oldestId }, ...counted(group.length, caused.length, all) };
  });
}

function counted(count: number, looked: number, total: Total) {
  const share = shareOf(count, looked, total);
  return { count: share.count, countIsEstimate: share.isEstimate };
}

const earliest = (instants: readonly Date[]): Date => new Date(Math.min(...instants.map(Number)));
