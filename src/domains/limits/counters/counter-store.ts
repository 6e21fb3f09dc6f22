import { randomBytes } from 'node:crypto';
import { ChargeAnswers, peeked } from './answers.js';
import { chargeByOwner, runsOfOwners } from './charge-by-owner.js';
import { encodeUses } from './encoding.js';
import type { GuardedRedis } from './guarded-redis.js';
import { createRefunds } from './refunds.js';
import { scripts } from './scripts.js';
import type { Charged, CounterReading, CounterStore, CounterUse } from './store.js';

/** A longer script would hold up Redis's other work; and of several calls one is executed while another is read. */
const CHECKS_A_CALL = 64;

interface Check {
  readonly uses: readonly CounterUse[];
  readonly resolve: (charged: Charged) => void;
  readonly reject: (error: unknown) => void;
}

const NOTHING_CHARGED: Charged = { admitted: true, readings: [], violated: -1, receipt: [] };

/**
 * Counters in Redis, by Redis's own clock. Checks of one turn of the event loop are sent together, on a single Redis in one
 * call. On a Cluster each owner's part is a call of its own, see `chargeByOwner`.
 *
 * @param heldTime microseconds since the epoch, in place of Redis's clock: for tests
 */
export function createCounterStore(redis: GuardedRedis, heldTime?: () => number): CounterStore {
  const time = heldTime ?? (() => '' as const);
  const slotOf = redis.cluster ? ({ owner }: { owner: string }) => owner : () => '';
  const refunds = createRefunds({ redis, time, slotOf });
  const nextCallName = createCallNames();
  /** Checks of one slot may travel in one call. */
  let gathered = new Map<string, Check[]>();
  const underWay = new Set<Promise<void>>();
  let isScheduled = false;

  function gather(slot: string, uses: readonly CounterUse[]): Promise<Charged> {
    return new Promise((resolve, reject) => {
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
    });
  }

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
    const call = nextCallName();
    const { keys, kinds, kindOf } = described(checks);
    const args = [time(), call, `[${kindOf.join()}]`, ...kinds.map(encodeUses)];
    try {
      const answers = new ChargeAnswers((await redis.run(scripts.charge, keys, args)) as Buffer, call);
      for (const check of checks) check.resolve(answers.next(check.uses));
    } catch (error) {
      for (const check of checks) check.reject(error);
    }
  }

  async function peekOne(uses: readonly CounterUse[]): Promise<readonly CounterReading[]> {
    const keys = uses.map((use) => use.key);
    return peeked(uses, (await redis.run(scripts.peek, keys, [time(), encodeUses(uses)])) as number[]);
  }

  return {
    charge(uses) {
      if (uses.length === 0) return Promise.resolve(NOTHING_CHARGED);
      return redis.cluster ? chargeByOwner(uses, gather, refunds) : gather('', uses);
    },

    async peek(uses) {
      if (uses.length === 0) return [];
      if (!redis.cluster) return peekOne(uses);
      return (await Promise.all(runsOfOwners(uses).map(peekOne))).flat();
    },

    refund: (receipt) => refunds.add(receipt),

    async close() {
      sendAll();
      await Promise.all([...underWay, refunds.flush()]);
      redis.close();
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

/** Whether both are encoded alike. */
function areAlike(some: readonly CounterUse[], others: readonly CounterUse[]): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i += 1)
    if (some[i]!.tier !== others[i]!.tier || some[i]!.charge !== others[i]!.charge) return false;
  return true;
}

/** Names that no other call of any process has: a random stem, and a number. */
function createCallNames(): () => string {
  const stem = randomBytes(9).toString('base64url');
  let calls = 0;
  return () => {
    calls += 1;
    return `${stem}:${calls.toString(36)}`;
  };
}
