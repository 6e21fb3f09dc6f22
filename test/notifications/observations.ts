import { LATENCY_BOUNDS_MS, type Observation } from '../../src/domains/notifications/alerts/observation.js';

/** 2026-11-22T12:00:00Z */
export const NOON = 1_795_348_800_000;
const EVERY_MS = 10_000;

/** What an observation has seen, in a few words. */
export interface Seen {
  readonly push?: readonly [reached: number, failed: number];
  readonly sms?: readonly [reached: number, failed: number];
  readonly dead?: Observation['dead'];
  /** Latencies in milliseconds. */
  readonly took?: readonly number[];
  /** The same of medium and low priority. */
  readonly slower?: { readonly medium?: readonly number[]; readonly low?: readonly number[] };
  /** Users in the queue of low-priority push; null: the queues gave no answer. */
  readonly waiting?: number | null;
  readonly depth?: number;
}

export function anObservation(at: number, seen: Seen = {}, from = at - EVERY_MS): Observation {
  const { push, sms, dead = {}, took = [], slower, waiting = 0, depth = 0 } = seen;
  return {
    from,
    at,
    attempts: {
      ...(push && { push: { reached: push[0], failed: push[1] } }),
      ...(sms && { sms: { reached: sms[0], failed: sms[1] } }),
    },
    latency: counted(took),
    ...(slower && {
      slowerLatency: { medium: counted(slower.medium ?? []), low: counted(slower.low ?? []) },
    }),
    dead,
    waiting: waiting === null ? null : { 'notifications.push.high': 0, 'notifications.push.low': waiting },
    openDeadLetters: depth,
  };
}

function counted(took: readonly number[]): number[] {
  const latency = Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0);
  for (const ms of took) latency[LATENCY_BOUNDS_MS.filter((bound) => bound <= ms).length]! += 1;
  return latency;
}

/** One observation every 10 s; each has what `seen` answers for the seconds since the first. */
export const everyTenSeconds = (
  seconds: number,
  seen: (second: number) => Seen,
  start = NOON,
): readonly Observation[] =>
  Array.from({ length: seconds / 10 + 1 }, (_, n) => anObservation(start + n * EVERY_MS, seen(n * 10)));
