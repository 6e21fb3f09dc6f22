import { type Priority, pacedId, pacedPriority } from '../notify-ground/people.ts';
import type { PacedRequests } from '../notify-ground/producer-process.ts';
import type { Arrivals } from '../notify-ground/provider-process.ts';

/** What the measured seconds were like. */
export interface Found {
  readonly acceptedPerSecond: number;
  /** All that arrived in the measured seconds, also of those that had waited before. */
  readonly arrived: number;
  /** From when a request was due until its message arrived. */
  readonly tookMs: Readonly<Record<Priority, readonly number[]>>;
  /** Low messages asked for and not arrived when the measured seconds began and ended. */
  readonly lowWaiting: { readonly first: number; readonly last: number };
  /** Arrivals of what had arrived before. */
  readonly again: number;
}

/**
 * @param waiting low messages that were accepted before the pace began
 * @param seconds how many were measured
 * @throws when something that was accepted did not arrive
 */
export function findOut(waiting: number, seconds: number, paced: PacedRequests, arrivals: Arrivals): Found {
  const firsts = firstArrivals(arrivals);
  if (firsts.length !== waiting + paced.accepted)
    throw new Error(`${waiting + paced.accepted} messages were accepted, ${firsts.length} arrived`);
  const from = paced.dueMs.reduce((least, due) => Math.min(least, due));
  const until = from + seconds * 1000;
  const isMeasured = (at: number): boolean => at >= from && at < until;
  const numbers = Array.from({ length: paced.accepted }, (_, n) => n);
  const urgent = new Set(numbers.filter((n) => pacedPriority(n) !== 'low').map(pacedId));
  /** Of the low ones, those before and those among the first `requests`. */
  const lowLeft = (requests: number, at: number): number => {
    const asked = waiting + numbers.slice(0, requests).filter((n) => pacedPriority(n) === 'low').length;
    return asked - firsts.filter((one) => one.atMs < at && !urgent.has(one.notificationId)).length;
  };
  return {
    acceptedPerSecond: paced.acceptedMs.filter(isMeasured).length / seconds,
    arrived: arrivals.atMs.filter(isMeasured).length,
    tookMs: latencies(paced, new Map(firsts.map(({ notificationId, atMs }) => [notificationId, atMs]))),
    lowWaiting: {
      first: lowLeft(paced.accepted - paced.numbers.length, from),
      last: lowLeft(paced.accepted, until),
    },
    again: arrivals.deliveryIds.length - firsts.length,
  };
}

interface FirstArrival {
  readonly notificationId: string;
  readonly atMs: number;
}

function firstArrivals({ deliveryIds, notificationIds, atMs }: Arrivals): readonly FirstArrival[] {
  const firsts = new Map<string, FirstArrival>();
  deliveryIds.forEach((deliveryId, index) => {
    if (firsts.has(deliveryId)) return;
    firsts.set(deliveryId, { notificationId: notificationIds[index]!, atMs: atMs[index]! });
  });
  return [...firsts.values()];
}

/** @param arrivedAt of requests with one recipient, by their id */
function latencies(
  { numbers, dueMs }: PacedRequests,
  arrivedAt: ReadonlyMap<string, number>,
): Record<Priority, readonly number[]> {
  const tookMs: Record<Priority, number[]> = { high: [], medium: [], low: [] };
  numbers.forEach((n, index) => {
    const at = arrivedAt.get(pacedId(n));
    if (at === undefined) throw new Error(`${pacedId(n)} was accepted and did not arrive`);
    tookMs[pacedPriority(n)].push(at - dueMs[index]!);
  });
  return tookMs;
}
