import { channels, type Priority } from '../types.js';
import type { AlertSeverity } from './alert.js';
import { countAbove, type LatencyBound, quantile } from './latency.js';
import { DEAD_WINDOW_MS, type Observation } from './observation.js';
import { attemptsIn, latencyIn, observationBefore } from './windows.js';

/** How a rule stands at one moment, about one thing. */
export interface Reading {
  /** A channel, or empty. */
  readonly scope: string;
  readonly value: number;
  readonly isBreached: boolean;
  /** One sentence for a person. */
  readonly message: string;
}

/** One of the thresholds at which somebody should look. */
export interface Rule {
  readonly name: string;
  readonly severity: AlertSeverity;
  readonly threshold: number;
  /** For how long it must be breached without a break. */
  readonly forMs: number;
  /** How it stands at the last of some observations. What cannot be known is left out; without traffic all is well. */
  read(seen: readonly Observation[]): readonly Reading[];
}

const MINUTE_MS = 60_000;
/** One failed attempt, or one slow delivery, says nothing about a channel. */
const SINGLE = 1;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

export const deadLetterFailureRate: Rule = {
  name: 'dead_letter_failure_rate',
  severity: 'CRITICAL',
  threshold: 0.05,
  forMs: 0,
  read(seen) {
    return channels.map((channel) => {
      const dead = seen.at(-1)!.dead[channel] ?? 0;
      const ended = attemptsIn(seen, DEAD_WINDOW_MS, channel).reached + dead;
      const value = ended === 0 ? 0 : dead / ended;
      const message = `${percent(value)} of ${channel} deliveries were given up in 5 minutes: ${dead} of ${ended}`;
      return { scope: channel, value, isBreached: value > this.threshold, message };
    });
  },
};

const deliverySuccessRate: Rule = {
  name: 'delivery_success_rate',
  severity: 'CRITICAL',
  threshold: 0.95,
  forMs: 2 * MINUTE_MS,
  read(seen) {
    return channels.map((channel) => {
      const { reached, failed } = attemptsIn(seen, MINUTE_MS, channel);
      const waiting = waitingOf(seen.at(-1)!, channel);
      // A provider whose calls are paused gets no attempts: messages that wait for it distinguish that from idleness.
      const isStuck = reached === 0 && waiting > 0;
      const value = isStuck || failed > 0 ? reached / Math.max(1, reached + failed) : 1;
      const isBreached = value < this.threshold && (isStuck || failed > SINGLE);
      const message = isStuck
        ? `No attempt to deliver by ${channel} succeeded in a minute; ${failed} failed, ${waiting} users' messages wait`
        : `${percent(value)} of attempts to deliver by ${channel} succeeded in a minute: ${failed} of ${reached + failed} failed`;
      return { scope: channel, value, isBreached, message };
    });
  },
};

/** @param limitMs the document's threshold for high; for the others what their priority promises */
function priorityLatency(priority: Priority, limitMs: LatencyBound): Rule {
  return {
    name: `${priority}_priority_latency_p99`,
    severity: 'WARNING',
    threshold: limitMs / 1_000,
    forMs: MINUTE_MS,
    read(seen) {
      const latency = latencyIn(seen, MINUTE_MS, priority);
      const value = (quantile(latency, 0.99) ?? 0) / 1_000;
      const slow = countAbove(latency, limitMs);
      const message = `One ${priority}-priority delivery in a hundred takes ${value.toFixed(1)} s or longer; ${slow} took more than ${this.threshold} s in a minute`;
      return [{ scope: '', value, isBreached: value > this.threshold && slow > SINGLE, message }];
    },
  };
}

const consumerLagGrowth: Rule = {
  name: 'consumer_lag_growth',
  severity: 'WARNING',
  threshold: 10_000,
  forMs: 5 * MINUTE_MS,
  read(seen) {
    const now = seen.at(-1)!.waiting;
    const before = observationBefore(seen, 10 * MINUTE_MS)?.waiting;
    if (!now || !before) return [];
    const growth = (queue: string): number => now[queue]! - (before[queue] ?? 0);
    const value = Object.keys(now).reduce((sum, queue) => sum + growth(queue), 0);
    const most = Object.keys(now).toSorted((one, other) => growth(other) - growth(one))[0] ?? '';
    const message = `${value} more users' messages wait than 10 minutes ago; most of them in ${most}, where ${now[most]} wait`;
    return [{ scope: '', value, isBreached: value > this.threshold, message }];
  },
};

const deadLetterDepth: Rule = {
  name: 'dead_letter_depth',
  severity: 'CRITICAL',
  threshold: 10_000,
  forMs: 5 * MINUTE_MS,
  read(seen) {
    const value = seen.at(-1)!.openDeadLetters;
    if (value === null) return [];
    const message = `${value} dead letters wait to be retried or discarded`;
    return [{ scope: '', value, isBreached: value > this.threshold, message }];
  },
};

/** The notification document's thresholds, and the promises of the priorities for which it has none. */
export const rules: readonly Rule[] = [
  deadLetterFailureRate,
  deliverySuccessRate,
  priorityLatency('high', 2_000),
  consumerLagGrowth,
  deadLetterDepth,
  priorityLatency('medium', 30_000),
  priorityLatency('low', 300_000),
];

/** Users with messages in the queues of a channel. */
const waitingOf = ({ waiting }: Observation, channel: string): number =>
  Object.entries(waiting ?? {})
    .filter(([queue]) => queue.startsWith(`notifications.${channel}.`))
    .reduce((sum, [, count]) => sum + count, 0);
