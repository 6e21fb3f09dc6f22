import { it } from 'vitest';
import type { TestProcess } from '../support/processes.js';
import { measured } from './limited-world.js';

/** Callers that no other attempt has met. */
export interface Strangers {
  /** A user's id. */
  user(name: string): string;
  /** An IPv4 address; 1 to 255. */
  address(last: number): string;
}

const MOST_ATTEMPTS = 5;
const LONGEST_MS = 90_000;
let attempts = 0;

/**
 * A test of what is promised while the counters answer. On a busy machine they may seem to be away for a moment, and
 * rules let pass what they would refuse: a failure counts only if no such moment fell into it; else the test is
 * played again, by strangers.
 */
export function itCounts(
  name: string,
  apis: () => readonly TestProcess[],
  play: (strangers: Strangers) => Promise<void>,
): void {
  it(
    name,
    async () => {
      for (let left = MOST_ATTEMPTS; left > 0; left -= 1) {
        const before = await lapses(apis());
        try {
          return await play(newStrangers());
        } catch (error) {
          if (left === 1 || (await lapses(apis())) === before) throw error;
        }
      }
    },
    LONGEST_MS,
  );
}

function newStrangers(): Strangers {
  attempts += 1;
  const attempt = attempts;
  return {
    user: (name) => `${name}-${attempt}`,
    address: (last) => `10.20.${attempt}.${last}`,
  };
}

/** Moments without counters, as far as the processes report them. */
async function lapses(apis: readonly TestProcess[]): Promise<number> {
  const each = apis.map(async (api) => {
    const undecided = await measured(api, 'rate_limiter_requests_total', 'result="error"');
    return undecided + api.output().split(/counters cannot be reached|counters can be reached again/).length;
  });
  return (await Promise.all(each)).reduce((sum, count) => sum + count, 0);
}
