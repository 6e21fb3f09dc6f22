import { z } from 'zod';
import { defineTask, type Queues } from '../../../platform/queues/queues.js';
import type { Redis } from '../../../platform/redis/redis.js';
import { evaluate } from './evaluate.js';
import { listAlerts } from './find.js';
import { readHistory, writeHistory } from './history.js';
import { DEAD_WINDOW_MS, type Observation } from './observation.js';
import { countDead, observe } from './observe.js';
import { type RecordDeps, recordChanges } from './record.js';
import { deadLetterFailureRate, rules } from './rules.js';
import { LONGEST_GAP_MS } from './windows.js';

export interface WatchDeps extends RecordDeps {
  readonly queues: Queues;
  readonly redis: Redis;
}

/** Judges the dead letters' failure rate, as there is a new one. */
export const watchDeadLetters = defineTask({
  name: 'notifications.dead-letter-rate',
  queue: 'notifications.maintenance',
  payload: z.object({}),
});

/** What was written so shortly ago may not be committed yet. */
const SETTLING_MS = 1_000;
/** Another process has just looked. */
const SHORTEST_MS = 2_000;
const SECOND_MS = 1_000;

/** Observes what happened since the last observation, and judges every rule. Done every 10 s. */
export async function look(deps: WatchDeps): Promise<void> {
  const { postgres, redis, clock } = deps;
  const now = clock.now();
  const seen = await readHistory(redis, now);
  const at = now - SETTLING_MS;
  const last = seen.at(-1);
  if (last && at - last.at < SHORTEST_MS) return;
  const from = Math.max(last?.at ?? 0, at - DEAD_WINDOW_MS);
  const extended = [...seen, await observe(deps, from, at)];
  await writeHistory(redis, extended);
  await recordChanges(deps, evaluate(rules, extended, await listAlerts(postgres, true)));
}

/** Judges the dead letters' failure rate with the latest ones; it may raise, and leaves resolving to `look`. */
export async function lookAtDeadLetters(deps: WatchDeps): Promise<void> {
  const { postgres, redis, clock } = deps;
  const now = clock.now();
  const seen = await readHistory(redis, now);
  const last = seen.at(-1);
  if (!last || now - last.at > LONGEST_GAP_MS) return look(deps);
  const glimpse: Observation = {
    ...last,
    attempts: {},
    from: last.at,
    at: now,
    dead: await countDead(postgres, now),
  };
  const active = await listAlerts(postgres, true);
  const { raise } = evaluate([deadLetterFailureRate], [...seen, glimpse], active);
  await recordChanges(deps, { raise, resolve: [] });
}

/** Asks for `lookAtDeadLetters` at the end of this second, once for the whole fleet. */
export async function askAboutDeadLetters(
  { queues, clock }: Pick<WatchDeps, 'queues' | 'clock'>,
  correlationId: string,
): Promise<void> {
  const now = clock.now();
  const delayMs = SECOND_MS - (now % SECOND_MS);
  const jobId = `dead-letter-rate-${Math.floor(now / SECOND_MS)}`;
  await queues.enqueue(watchDeadLetters, {}, { correlationId, jobId, delayMs });
}
