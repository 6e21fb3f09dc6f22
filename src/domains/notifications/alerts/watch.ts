import type { Queues } from '../../../platform/queues.js';
import { evaluate } from './evaluate.js';
import { findActive } from './find.js';
import type { History } from './history.js';
import { DEAD_WINDOW_MS, type Observation } from './observation.js';
import { countDead, observe } from './observe.js';
import { type RecordDeps, recordChanges } from './record.js';
import { deadLetterFailureRate, rules } from './rules.js';
import { watchDeadLetters } from './tasks.js';
import { LONGEST_GAP_MS } from './windows.js';

/** The worker's side of alerts. Any process of the fleet may do any of it. */
export interface AlertWatch {
  /** Observes what happened since the last observation, and judges every rule. Done every 10 s. */
  look(): Promise<void>;
  /** Judges the dead letters' failure rate with the latest ones; it may raise, and leaves resolving to `look`. */
  lookAtDeadLetters(): Promise<void>;
  /** Asks for `lookAtDeadLetters` at the end of this second, once for the whole fleet. */
  askAboutDeadLetters(correlationId: string): Promise<void>;
}

export interface WatchDeps extends RecordDeps {
  readonly queues: Queues;
  readonly history: History;
}

/** What was written so shortly ago may not be committed yet. */
const SETTLING_MS = 1_000;
/** Another process has just looked. */
const SHORTEST_MS = 2_000;
const SECOND_MS = 1_000;

export function createAlertWatch(deps: WatchDeps): AlertWatch {
  const { postgres, queues, clock, history } = deps;

  async function look(): Promise<void> {
    const now = clock.now();
    const seen = await history.read(now);
    const at = now - SETTLING_MS;
    const last = seen.at(-1);
    if (last && at - last.at < SHORTEST_MS) return;
    const from = Math.max(last?.at ?? 0, at - DEAD_WINDOW_MS);
    const extended = [...seen, await observe(deps, from, at)];
    await history.write(extended);
    await recordChanges(deps, evaluate(rules, extended, await findActive(postgres)));
  }

  return {
    look,
    async lookAtDeadLetters() {
      const now = clock.now();
      const seen = await history.read(now);
      const last = seen.at(-1);
      if (!last || now - last.at > LONGEST_GAP_MS) return look();
      const glimpse: Observation = {
        ...last,
        attempts: {},
        from: last.at,
        at: now,
        dead: await countDead(postgres, now),
      };
      const active = await findActive(postgres);
      const { raise } = evaluate([deadLetterFailureRate], [...seen, glimpse], active);
      await recordChanges(deps, { raise, resolve: [] });
    },
    async askAboutDeadLetters(correlationId) {
      const now = clock.now();
      const delayMs = SECOND_MS - (now % SECOND_MS);
      const second = Math.floor(now / SECOND_MS);
      await queues.enqueue(
        watchDeadLetters,
        {},
        { correlationId, jobId: `dead-letter-rate-${second}`, delayMs },
      );
    },
  };
}
