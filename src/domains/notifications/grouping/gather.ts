import type { Queryable } from '../../../platform/postgres/postgres.js';
import { stepOf, type Transition } from '../delivery/transition.js';
import type { ContentGroup } from '../providers/provider.js';
import { type Channel, goesToDevices } from '../types.js';
import { sql as statements } from './groups.sql.js';
import { type GroupState, planSummary, type Summary } from './pace.js';
import { type GroupingRules, MAX_NAMES } from './rules.js';
import type { People } from './wording.js';

/** A delivery whose time has come, its row held. */
interface Due {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly groupId: string | null;
  readonly type: string;
  readonly channel: Channel;
  readonly expiresAt: Date | null;
  /** Channels to be tried where it fails for good. */
  readonly fallbacks: readonly Channel[];
}

/** What the delivery says that sums a group up. */
export interface SummaryText {
  readonly people: People;
  readonly group: ContentGroup;
  /** It renews an item of the inbox, which is no other notification. */
  readonly isUncounted?: true;
  /** The fallback channels of all that it stands for, its own first. Absent: its own are all. */
  readonly allFallbacks?: readonly Channel[];
}

/** One delivery that stands for all that are due of a group on a channel. */
interface Gathering<D> {
  readonly groupId: string;
  readonly channel: Channel;
  readonly summary: Summary;
  /** The deliveries that it stands for, besides its own. */
  readonly rest: readonly D[];
}

/** Deliveries that are due, by what becomes of them. */
export interface Gathered<D extends Due> {
  /** To be decided: those of no group, and of each group and channel the one that stands for all of them. */
  readonly toDecide: readonly (D & Partial<SummaryText>)[];
  /** What depends on how the one that stands for it is decided. */
  readonly gatherings: readonly Gathering<D>[];
  /** Of people whom an earlier summary names or counts already. */
  readonly known: readonly { readonly due: D; readonly summarizedBy: string | null }[];
  readonly waiting: readonly { readonly due: D; readonly until: number }[];
}

/** Gathers what is due by groups. Until the transaction ends nobody else sums them up on these channels. */
export async function gatherGroups<D extends Due>(
  tx: Queryable,
  rules: GroupingRules,
  due: readonly D[],
  now: number,
): Promise<Gathered<D>> {
  const sets = [...Map.groupBy(due, setOf).values()];
  const groups = await readGroups(tx, sets);
  const gathered = sets.map((set): Gathered<D> => {
    const group = groups.get(setOf(set[0]!));
    // Of no group, or of one that was forgotten.
    if (!group) return { ...nothing, toDecide: set };
    return gatherSet(group, rules(set[0]!.type)?.names ?? 1, set, now);
  });
  return {
    toDecide: gathered.flatMap(({ toDecide }) => toDecide),
    gatherings: gathered.flatMap(({ gatherings }) => gatherings),
    known: gathered.flatMap(({ known }) => known),
    waiting: gathered.flatMap(({ waiting }) => waiting),
  };
}

const nothing = { toDecide: [], gatherings: [], known: [], waiting: [] };

/** Names what is summed up together: what is due of one group on one channel. */
const setOf = ({
  groupId,
  channel,
}: {
  readonly groupId: string | null;
  readonly channel: Channel;
}): string => (groupId === null ? '' : `${groupId}/${channel}`);

interface ReadGroup extends GroupState {
  /** The newest first. */
  readonly names: readonly string[];
}

async function readGroups<D extends Due>(
  tx: Queryable,
  sets: readonly (readonly D[])[],
): Promise<ReadonlyMap<string, ReadGroup>> {
  const grouped = sets.flatMap(([first]) => (first && first.groupId !== null ? first : []));
  if (grouped.length === 0) return new Map();
  const groupIds = grouped.map(({ groupId }) => groupId);
  const keys = [groupIds, grouped.map(({ channel }) => channel)];
  await tx.query(statements.prepareSummaries, keys);
  const { rows: held } = await tx.query(statements.lockSummaries, keys);
  // Read once they are held: the last summary counts nobody who is not seen here.
  const { rows: people } = await tx.query(statements.people, [[...new Set(groupIds)], MAX_NAMES]);
  const lastIds = held.flatMap(({ summary }) => summary?.deliveryId ?? []);
  const { rows: unsent } = await tx.query(statements.pending, [lastIds]);
  const pending = new Set(unsent.map(({ deliveryId }) => deliveryId));
  const byGroup = new Map(people.map((one) => [one.groupId, one]));
  return new Map(
    held.flatMap(({ groupId, channel, summary: last }) => {
      const group = byGroup.get(groupId);
      if (!group) return [];
      const { count, newest } = group;
      const isLastPending = last !== null && pending.has(last.deliveryId);
      const names = newest.map(({ name }) => name);
      const read = { count, newest: newest[0]?.nth ?? 0, last, isLastPending, names };
      return [[setOf({ groupId, channel }), read] as const];
    }),
  );
}

/** @param set what is due of one group on one channel */
function gatherSet<D extends Due>(
  group: ReadGroup,
  names: number,
  set: readonly D[],
  now: number,
): Gathered<D> {
  const plan = planSummary(group, set[0]!.channel, now);
  switch (plan.kind) {
    case 'known': {
      const summarizedBy = group.last?.deliveryId ?? null;
      return { ...nothing, known: set.map((due) => ({ due, summarizedBy })) };
    }
    case 'wait':
      return { ...nothing, waiting: set.map((due) => ({ due, until: plan.until })) };
    case 'send': {
      const carrier = set.reduce(lastsLonger);
      const summary = { ...plan.summary, deliveryId: carrier.deliveryId };
      const rest = set.filter((due) => due !== carrier);
      return {
        ...nothing,
        toDecide: [{ ...carrier, ...textOf(group, names, carrier, summary), ...fallbacksOf(carrier, rest) }],
        gatherings: [{ groupId: carrier.groupId!, channel: carrier.channel, summary, rest }],
      };
    }
  }
}

function textOf(
  group: ReadGroup,
  names: number,
  { groupId, channel }: Due,
  { revision, count }: Summary,
): SummaryText {
  const isRenewal = revision > 1 && !goesToDevices(channel);
  return {
    people: { names: group.names.slice(0, names), count },
    group: { id: groupId!, revision, count },
    ...(isRenewal && { isUncounted: true }),
  };
}

/** Where the one that stands for all fails for good, a fallback is made if any of them asked for one. */
function fallbacksOf<D extends Due>(carrier: D, rest: readonly D[]): Pick<SummaryText, 'allFallbacks'> {
  const all = [...new Set([carrier, ...rest].flatMap(({ fallbacks }) => fallbacks))];
  return all.length > carrier.fallbacks.length ? { allFallbacks: all } : {};
}

/** The one that expires later stands for the others; of several the newest. */
function lastsLonger<D extends Due>(a: D, b: D): D {
  const [ends, other] = [a, b].map(({ expiresAt }) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
  if (ends !== other) return ends! > other! ? a : b;
  return a.deliveryId > b.deliveryId ? a : b;
}

/**
 * Settles what was gathered, once it is decided what becomes of the deliveries that sum up: records the summaries, puts off what waits,
 * and answers the steps of the deliveries that they stand for.
 *
 * Where one that sums up was deferred, the rest waits with it. Where one lacks a variable, the next of the rest has its turn; what left it
 * out for any other reason concerns all of them.
 */
export async function settleGroups<D extends Due>(
  tx: Queryable,
  { gatherings, known, waiting }: Gathered<D>,
  decided: ReadonlyMap<string, Transition>,
  now: number,
): Promise<readonly { readonly due: D; readonly transition: Transition }[]> {
  const putOff = waiting.map(({ due, until }) => ({ due, until: new Date(until) }));
  const merged = known.map(({ due, summarizedBy }) => ({ due, transition: merge(due, summarizedBy, now) }));
  const sent: Gathering<D>[] = [];
  for (const one of gatherings) {
    const { deliveryId } = one.summary;
    const { status, suppression, dueAt } = decided.get(deliveryId)!;
    if (status === 'QUEUED') sent.push(one);
    if (status === 'SCHEDULED' && dueAt) putOff.push(...one.rest.map((due) => ({ due, until: dueAt })));
    else if (suppression !== 'MISSING_VARIABLE')
      merged.push(...one.rest.map((due) => ({ due, transition: merge(due, deliveryId, now) })));
  }
  if (sent.length > 0) {
    await tx.query(statements.recordSummaries, [
      sent.map(({ groupId }) => groupId),
      sent.map(({ channel }) => channel),
      sent.map(({ summary }) => JSON.stringify(summary)),
    ]);
  }
  if (putOff.length > 0) {
    const ids = putOff.map(({ due }) => due.deliveryId);
    await tx.query(statements.putOff, [ids, putOff.map(({ until }) => until)]);
  }
  return merged;
}

/** What becomes of a delivery that another one stands for; null: nobody is left in the group. */
function merge(due: Due, summarizedBy: string | null, now: number): Transition {
  const detail = { reason: 'GROUPED', ...(summarizedBy !== null && { summarized_by: summarizedBy }) };
  return {
    ...stepOf(due, now),
    status: 'SUPPRESSED',
    suppression: 'GROUPED',
    events: [{ event: 'SUPPRESSED', status: 'SUPPRESSED', detail }],
  };
}
