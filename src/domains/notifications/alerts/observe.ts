import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Queues } from '../../../platform/queues/queues.js';
import { countOpen } from '../dead-letters/find.js';
import { channelQueues } from '../delivery/tasks.js';
import { channels } from '../types.js';
import { DEAD_WINDOW_MS, LATENCY_BOUNDS_MS, type Observation } from './observation.js';
import { sql as statements } from './observe.sql.js';

interface ObserveDeps {
  readonly postgres: Queryable;
  readonly queues: Pick<Queues, 'counts'>;
}

/** Looks at what happened in [from, at), and how things stand. */
export async function observe(deps: ObserveDeps, from: number, at: number): Promise<Observation> {
  const [{ rows }, dead, open, waiting] = await Promise.all([
    deps.postgres.query(statements.attempts, [new Date(from), new Date(at), LATENCY_BOUNDS_MS]),
    countDead(deps.postgres, at),
    countOpen(deps.postgres, null),
    countWaiting(deps.queues),
  ]);
  const attempts: Observation['attempts'] = {};
  const latency = noLatencies();
  const slowerLatency: NonNullable<Observation['slowerLatency']> = {};
  for (const { channel, priority, reached, bucket, count } of rows) {
    const of = attempts[channel] ?? { reached: 0, failed: 0 };
    of[reached ? 'reached' : 'failed'] += count;
    attempts[channel] = of;
    if (bucket === null) continue;
    const counts = priority === 'high' ? latency : (slowerLatency[priority] ?? noLatencies());
    if (priority !== 'high') slowerLatency[priority] = counts;
    counts[bucket]! += count;
  }
  return { from, at, attempts, latency, slowerLatency, dead, waiting, openDeadLetters: open.count };
}

const noLatencies = (): number[] => Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0);

/** Deliveries that were given up in the five minutes before an instant, and since. */
export async function countDead(postgres: Queryable, at: number): Promise<Observation['dead']> {
  const { rows } = await postgres.query(statements.deadByChannel, [channels, new Date(at - DEAD_WINDOW_MS)]);
  return Object.fromEntries(rows.map(({ channel, count }) => [channel, count]));
}

/** Users with messages in a queue. Half an answer would look like a queue that shrank. */
async function countWaiting(queues: Pick<Queues, 'counts'>): Promise<Observation['waiting']> {
  const names = channelQueues.map(({ name }) => name);
  const counts = await Promise.all(names.map((name) => queues.counts(name))).catch(() => null);
  return counts && Object.fromEntries(names.map((name, index) => [name, counts[index]!.waiting ?? 0]));
}
