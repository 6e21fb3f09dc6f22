import { randomBytes } from 'node:crypto';
import { type AnswerShape, CheckAnswers, shapeOf } from './answers.js';
import { chargeByOwner, runsOfOwners } from './charge-by-owner.js';
import { type BatchLimits, type Check, createCheckBatches } from './check-batches.js';
import { addKeys, encodeUses, firstWithKey } from './encoding.js';
import type { GuardedRedis } from './guarded-redis.js';
import { createRefunds } from './refunds.js';
import { scripts } from './scripts.js';
import type { Charged, CounterReading, CounterStore, CounterUse } from './store.js';

/** Of requests, which wait for their outcome. */
const SHORT_BATCHES: BatchLimits = { checksABatch: 64, batchesAtOnce: Number.POSITIVE_INFINITY };

const NOTHING_CHARGED: Charged = { admitted: true, readings: [], violated: -1, receipt: [] };

/**
 * Counters in Redis, by Redis's own clock. A batch of checks is one call on a single Redis. On a Cluster each owner's part
 * of a check is charged by itself, see `chargeByOwner`, and a batch is one call for each owner in it, all at once.
 *
 * @param heldTime microseconds since the epoch, in place of Redis's clock: for tests
 */
export function createCounterStore(
  redis: GuardedRedis,
  heldTime?: () => number,
  limits: BatchLimits = SHORT_BATCHES,
): CounterStore {
  const time = heldTime ?? (() => '' as const);
  const slotOf = redis.cluster ? ({ owner }: { owner: string }) => owner : () => '';
  const refunds = createRefunds({ redis, time, slotOf });
  const nextCallName = createCallNames();
  const batches = createCheckBatches(redis.cluster ? callByOwner : call, limits);

  async function callByOwner(checks: readonly Check[]): Promise<void> {
    await Promise.all([...Map.groupBy(checks, ({ uses }) => uses[0]!.owner).values()].map(call));
  }

  async function call(checks: readonly Check[]): Promise<void> {
    const callName = nextCallName();
    const { keys, names, kinds, kindOf } = described(checks);
    const shapes: readonly AnswerShape[] = kinds.map(shapeOf);
    const args = [time(), callName, `[${kindOf.join()}]`, names, ...kinds.map(encodeUses)];
    try {
      const answers = new CheckAnswers((await redis.run(scripts.charge, keys, args)) as Buffer, callName);
      for (let i = 0; i < checks.length; i += 1)
        checks[i]!.resolve(answers.next(checks[i]!.uses, shapes[kindOf[i]! - 1]!));
    } catch (error) {
      for (const check of checks) check.reject(error);
    }
  }

  async function peekOne(uses: readonly CounterUse[]): Promise<readonly CounterReading[]> {
    const keys: string[] = [];
    addKeys(uses, keys);
    const answer = (await redis.run(scripts.peek, keys, [time(), encodeUses(uses)])) as Buffer;
    return new CheckAnswers(answer, '').next(uses, shapeOf(uses)).readings;
  }

  return {
    charge(uses, isBulk = false) {
      if (uses.length === 0) return Promise.resolve(NOTHING_CHARGED);
      if (!redis.cluster) return batches.add(uses, isBulk);
      return chargeByOwner(uses, (ofOwner) => batches.add(ofOwner, isBulk), refunds);
    },

    async peek(uses) {
      if (uses.length === 0) return [];
      if (!redis.cluster) return peekOne(uses);
      return (await Promise.all(runsOfOwners(uses).map(peekOne))).flat();
    },

    refund: (receipt) => refunds.add(receipt),

    async close() {
      await Promise.all([batches.flush(), refunds.flush()]);
      redis.close();
    },
  };
}

/** The keys and names of all checks, the different kinds of uses among them, and which of these each check has, from 1. */
function described(checks: readonly Check[]) {
  const keys: string[] = [];
  let hasNames = false;
  const kinds: (readonly CounterUse[])[] = [];
  const kindOf: number[] = [];
  for (const { uses } of checks) {
    addKeys(uses, keys);
    hasNames ||= uses.some(({ name }) => name !== undefined);
    const known = kinds.findIndex((kind) => areAlike(kind, uses));
    kindOf.push(known < 0 ? kinds.push(uses) : known + 1);
  }
  const names = hasNames ? JSON.stringify(checks.flatMap(({ uses }) => uses.map(nameOf))) : '';
  return { keys, names, kinds, kindOf };
}

const nameOf = ({ name }: CounterUse): string | false => name ?? false;

/** Whether both are encoded alike. */
function areAlike(some: readonly CounterUse[], others: readonly CounterUse[]): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i += 1)
    if (
      some[i]!.tier !== others[i]!.tier ||
      some[i]!.charge !== others[i]!.charge ||
      firstWithKey(some, i) !== firstWithKey(others, i)
    )
      return false;
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
