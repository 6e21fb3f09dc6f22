/** What a failed command means for the counters. */
export interface Refusal {
  readonly errorType: 'connection' | 'command';
  /** Whether the next command to this node would fail as well. */
  readonly nodeIsUnfit: boolean;
}

/**
 * Answers of a Redis that cannot count now, whatever it is asked: it loads its data, is a replica or cut off from its
 * master, is full, cannot save, lacks replicas, is busy in another script, moves its slots, or does not know us.
 * Redis 6 wraps what a script meets: `ERR Error running script …: -OOM …`.
 */
const CANNOT_COUNT_NOW =
  /(?:^|: -?)(?:LOADING|READONLY|MASTERDOWN|OOM|MISCONF|NOREPLICAS|BUSY|CLUSTERDOWN|MOVED|ASK|TRYAGAIN|NOAUTH|WRONGPASS) /;

/** Tells a Redis that cannot count from a lost connection, and from a script that is wrong on a sound Redis. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { errorType: 'connection', nodeIsUnfit: true };
  if (CANNOT_COUNT_NOW.test(error.message)) return { errorType: 'command', nodeIsUnfit: true };
  // Redis answers, so that other scripts may well count: asking it again costs nobody a wait.
  if (error.name === 'ReplyError') return { errorType: 'command', nodeIsUnfit: false };
  return { errorType: 'connection', nodeIsUnfit: true };
}

/** A restarted or failed-over Redis does not know the script yet. */
export const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT');
