import { isRedisRefusal } from '../../../platform/unavailable.js';

/** What a failed command means for the counters. */
export interface Refusal {
  readonly errorType: 'connection' | 'command';
  /** Whether the next command to this node would fail as well. */
  readonly nodeIsUnfit: boolean;
}

/** Distinguishes a Redis that cannot count, a lost connection, and an error of the script on a sound Redis. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { errorType: 'connection', nodeIsUnfit: true };
  if (isRedisRefusal(error)) return { errorType: 'command', nodeIsUnfit: true };
  // Redis answers, so that other scripts may well count: asking it again costs no wait.
  if (error.name === 'ReplyError') return { errorType: 'command', nodeIsUnfit: false };
  return { errorType: 'connection', nodeIsUnfit: true };
}
