import { randomBytes } from 'node:crypto';
import type { Receipt } from '../types.js';
import { peeked } from './answers.js';
import { type ChargeBatches, createChargeBatches } from './charge-batches.js';
import { encodeUses } from './encoding.js';
import type { GuardedRedis } from './guarded-redis.js';
import { createRefunds, type Refunds } from './refunds.js';
import { scripts } from './scripts.js';
import {
  type Charged,
  type CounterReading,
  type CounterStore,
  type CounterUse,
  StoreUnreachable,
} from './store.js';

/**
 * Counters in Redis, by Redis's own clock. On a single Redis everything goes in one call. On a Cluster each owner's
 * part is a call of its own, one owner after the other: where a later one refuses, what the earlier ones charged is
 * taken back before the outcome is told. Where a later one cannot be reached, the earlier charges stay until whoever
 * decides takes them back: a caller's own limits still hold while the shared ones are away.
 *
 * @param heldTime microseconds since the epoch, in place of Redis's clock: for tests
 */
export function createCounterStore(redis: GuardedRedis, heldTime?: () => number): CounterStore {
  const time = heldTime ?? (() => '' as const);
  const slotOf = redis.cluster ? ({ owner }: { owner: string }) => owner : () => '';
  const batches = createChargeBatches({ redis, time, callName: createCallNames() });
  const refunds = createRefunds({ redis, time, slotOf });

  async function peekOne(uses: readonly CounterUse[]): Promise<readonly CounterReading[]> {
    const keys = uses.map((use) => use.key);
    return peeked(uses, (await redis.run(scripts.peek, keys, [time(), encodeUses(uses)])) as number[]);
  }

  return {
    charge(uses) {
      const first = uses[0];
      if (!first) return Promise.resolve({ admitted: true, readings: [], violated: -1, receipt: [] });
      if (!redis.cluster) return batches.charge('', uses);
      if (uses.every((use) => use.owner === first.owner)) return batches.charge(first.owner, uses);
      return chargeInTurn(batches, refunds, uses);
    },

    async peek(uses) {
      if (uses.length === 0) return [];
      if (!redis.cluster) return peekOne(uses);
      return (await Promise.all(runsOfOwners(uses).map(peekOne))).flat();
    },

    refund: (receipt) => refunds.add(receipt),

    async close() {
      await Promise.all([batches.flush(), refunds.flush()]);
      await redis.close();
    },
  };
}

/** Charges one owner after the other, and takes everything back once one refuses. */
async function chargeInTurn(
  batches: ChargeBatches,
  refunds: Refunds,
  uses: readonly CounterUse[],
): Promise<Charged> {
  let before: Charged = { admitted: true, readings: [], violated: -1, receipt: [] };
  for (const ofOwner of runsOfOwners(uses)) {
    const charged = await batches.charge(ofOwner[0]!.owner, ofOwner).catch((error: unknown) => {
      throw afterCharging(before.receipt, error);
    });
    if (!charged.admitted) {
      await refunds.send(before.receipt);
      return {
        admitted: false,
        readings: [...uncharged(uses, before), ...charged.readings],
        violated: before.readings.length + charged.violated,
        receipt: [],
      };
    }
    before = {
      admitted: true,
      readings: [...before.readings, ...charged.readings],
      violated: -1,
      receipt: [...before.receipt, ...charged.receipt],
    };
  }
  return before;
}

const afterCharging = (receipt: Receipt, error: unknown): unknown =>
  error instanceof StoreUnreachable
    ? new StoreUnreachable(error.errorType, { cause: error }, receipt)
    : error;

/** How the earlier owners' counters stand once their charges are back. A log or bucket may reset earlier than told. */
function uncharged(uses: readonly CounterUse[], { readings }: Charged): CounterReading[] {
  return readings.map((reading, index) => {
    if (reading.retryAfterMs > 0) return reading;
    const { charge } = uses[index]!;
    return { ...reading, used: reading.used - charge, remaining: reading.remaining + charge };
  });
}

/** Neighbours of one owner, together. */
function runsOfOwners(uses: readonly CounterUse[]): CounterUse[][] {
  const runs: CounterUse[][] = [];
  for (const use of uses) {
    const last = runs.at(-1);
    if (last && last[0]!.owner === use.owner) last.push(use);
    else runs.push([use]);
  }
  return runs;
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
