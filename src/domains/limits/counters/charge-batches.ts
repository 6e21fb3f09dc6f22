import { ChargeAnswers } from './answers.js';
import { encodeUses } from './encoding.js';
import type { GuardedRedis } from './guarded-redis.js';
import { scripts } from './scripts.js';
import type { Charged, CounterUse } from './store.js';

/** A longer script would hold up Redis's other work; and of several in hand, one is counted while another is read. */
const CHECKS_A_CALL = 64;

interface Check {
  readonly uses: readonly CounterUse[];
  readonly resolve: (charged: Charged) => void;
  readonly reject: (error: unknown) => void;
}

/** Gathers the checks of one turn of the event loop, and sends them together. */
export interface ChargeBatches {
  /** All uses or none. @param slot checks of one slot may travel in one call */
  charge(slot: string, uses: readonly CounterUse[]): Promise<Charged>;
  /** Sends what is gathered now. Never rejects; resolves when all that was sent is answered. */
  flush(): Promise<void>;
}

/** @param callName names each call, differently from every other call of any process */
export function createChargeBatches(deps: {
  redis: GuardedRedis;
  time: () => number | '';
  callName: () => string;
}): ChargeBatches {
  const { redis, time, callName } = deps;
  let gathered = new Map<string, Check[]>();
  const underWay = new Set<Promise<void>>();
  let isScheduled = false;

  function sendAll(): void {
    isScheduled = false;
    const leaving = gathered;
    // A new map, not a cleared one: V8 links a map's former tables to its later ones, and one of them that has grown
    // old would keep all later batches alive until the next full collection.
    gathered = new Map();
    for (const checks of leaving.values()) track(send(checks));
  }

  function track(sending: Promise<void>): void {
    underWay.add(sending);
    void sending.then(() => underWay.delete(sending));
  }

  async function send(checks: readonly Check[]): Promise<void> {
    const call = callName();
    const { keys, kinds, kindOf } = described(checks);
    const args = [time(), call, `[${kindOf.join()}]`, ...kinds.map(encodeUses)];
    try {
      const answers = new ChargeAnswers((await redis.run(scripts.charge, keys, args)) as Buffer, call);
      for (const check of checks) check.resolve(answers.next(check.uses));
    } catch (error) {
      for (const check of checks) check.reject(error);
    }
  }

  return {
    charge: (slot, uses) =>
      new Promise((resolve, reject) => {
        const check = { uses, resolve, reject };
        const others = gathered.get(slot);
        if (!others) gathered.set(slot, [check]);
        else if (others.push(check) === CHECKS_A_CALL) {
          gathered.delete(slot);
          track(send(others));
        }
        if (isScheduled) return;
        isScheduled = true;
        // After the poll phase: what arrived together leaves together.
        setImmediate(sendAll);
      }),

    async flush() {
      sendAll();
      await Promise.all(underWay);
    },
  };
}

/** The keys of all checks, the different kinds of uses among them, and which of these each check has, from 1. */
function described(checks: readonly Check[]) {
  const keys: string[] = [];
  const kinds: (readonly CounterUse[])[] = [];
  const kindOf: number[] = [];
  for (const { uses } of checks) {
    for (const use of uses) keys.push(use.key);
    const known = kinds.findIndex((kind) => areAlike(kind, uses));
    kindOf.push(known < 0 ? kinds.push(uses) : known + 1);
  }
  return { keys, kinds, kindOf };
}

/** Whether the script is told the same of both. */
function areAlike(some: readonly CounterUse[], others: readonly CounterUse[]): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i += 1)
    if (some[i]!.tier !== others[i]!.tier || some[i]!.charge !== others[i]!.charge) return false;
  return true;
}
