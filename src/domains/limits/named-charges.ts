import { KEY_PREFIX, loadScript } from '../../platform/redis.js';
import type { GuardedRedis } from './counters/guarded-redis.js';

const script = loadScript(new URL('./named-charges.lua', import.meta.url));

/** So many different names in any stretch of so many seconds. */
export interface NamedWindow {
  /** Names the window among its user's. Never holds `}:`. */
  readonly id: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** One name that is to be counted in some windows of a user, in all of them or in none. */
export interface NamedCheck {
  readonly userId: string;
  /** Kept for as long as the window, so it had better be short. */
  readonly name: string;
  /** One or more, each of an id of its own. */
  readonly windows: readonly NamedWindow[];
}

/** `unasked`: the counters gave no answer. Mostly nothing was counted; where an answer was lost, something was. */
export type NamedOutcome =
  | { readonly kind: 'admitted' }
  | {
      readonly kind: 'refused';
      /** The index, in the check, of the window that stays full for the longest. */
      readonly window: number;
      /** Until the name fits; above 0. */
      readonly retryAfterMs: number;
    }
  | { readonly kind: 'unasked'; readonly error: unknown };

/** A longer call would hold up Redis's other work. */
export const CHECKS_A_ROUND = 256;
/** One is executed while another is read. More would only wait in Redis, and exceed their timeout there. */
const ROUNDS_UNDER_WAY = 2;
/** Calls of more checks than this let others pass. */
const MANY = 64;

/** Counts names in windows of users. */
export interface NamedCharges {
  /** An outcome for each check, in order; each sees what those before it charged. Never rejects. */
  charge(checks: readonly NamedCheck[]): Promise<readonly NamedOutcome[]>;
}

/**
 * Checks travel in rounds, together with what others ask at the same time. A round is one call on a single Redis; on a
 * Cluster, where a call has one slot, it is one for each user in it, all at once.
 *
 * @param heldTime microseconds since the epoch, in place of Redis's clock: for tests
 */
export function createNamedCharges(redis: GuardedRedis, heldTime?: () => number): NamedCharges {
  const few: PendingCheck[] = [];
  const many: PendingCheck[] = [];
  let underWay = 0;
  let isScheduled = false;

  function sendRounds(): void {
    isScheduled = false;
    while (underWay < ROUNDS_UNDER_WAY && few.length + many.length > 0) {
      const round = few.splice(0, CHECKS_A_ROUND);
      round.push(...many.splice(0, CHECKS_A_ROUND - round.length));
      underWay += 1;
      void send(round).then(() => {
        underWay -= 1;
        sendRounds();
      });
    }
  }

  async function send(round: readonly PendingCheck[]): Promise<void> {
    if (!redis.cluster) return ask(round);
    await Promise.all([...Map.groupBy(round, ({ check }) => check.userId).values()].map(ask));
  }

  async function ask(asked: readonly PendingCheck[]): Promise<void> {
    try {
      const { keys, args } = described(asked.map(({ check }) => check));
      const refused = (await redis.run(script, keys, [heldTime?.() ?? '', ...args])) as number[];
      for (let i = 0; i < refused.length; i += 3)
        asked[refused[i]!]!.settle({
          kind: 'refused',
          window: refused[i + 1]!,
          retryAfterMs: refused[i + 2]!,
        });
      for (const one of asked) one.settle(ADMITTED);
    } catch (error) {
      for (const one of asked) one.settle({ kind: 'unasked', error });
    }
  }

  return {
    charge(checks) {
      if (checks.length === 0) return Promise.resolve([]);
      const queue = checks.length > MANY ? many : few;
      const outcomes = checks.map((check) => {
        const pending = new PendingCheck(check);
        queue.push(pending);
        return pending.outcome;
      });
      if (!isScheduled) {
        isScheduled = true;
        // After the poll phase: what arrived together leaves together.
        setImmediate(sendRounds);
      }
      return Promise.all(outcomes);
    },
  };
}

const ADMITTED: NamedOutcome = { kind: 'admitted' };

/** A check without an outcome so far. */
class PendingCheck {
  private readonly settled = Promise.withResolvers<NamedOutcome>();
  /** The first outcome counts. */
  readonly settle = this.settled.resolve;
  readonly outcome = this.settled.promise;

  constructor(readonly check: NamedCheck) {}
}

/** The keys and arguments of the script. */
function described(checks: readonly NamedCheck[]) {
  const keys: string[] = [];
  const windows = new Map<NamedWindow, number>();
  const windowOf: number[] = [];
  for (const { userId, windows: own } of checks) {
    for (const window of own) {
      keys.push(keyOf(userId, window));
      const number = windows.get(window) ?? windows.size + 1;
      windows.set(window, number);
      windowOf.push(number);
    }
  }
  const numbers = [...windows.keys()].flatMap(({ max, windowSeconds }) => [max, windowSeconds * 1_000_000]);
  const sizes = checks.map((check) => check.windows.length);
  const names = checks.map((check) => check.name);
  return { keys, args: [...[numbers, windowOf, sizes].map((list) => JSON.stringify(list)), ...names] };
}

/** The user in braces is a hash tag: all of a user's windows live in one slot of a Cluster. */
const keyOf = (userId: string, { id }: NamedWindow): string => `${KEY_PREFIX}:quota:{u:${userId}}:${id}`;
