import type { Receipt } from '../../../platform/gate.js';
import type { Refunds } from './refunds.js';
import { type Charged, type CounterReading, type CounterUse, counterOf, StoreUnreachable } from './store.js';

/**
 * Charges on a Cluster: one owner after the other, since keys of different owners live in different slots. Where a later
 * owner's counters refuse, what the earlier ones were charged is refunded before the outcome is returned. Where they
 * cannot be reached, the earlier charges stay until the limiter refunds them: a caller's own limits still hold
 * while the shared ones are away.
 *
 * @param charge charges uses of one owner
 * @throws StoreUnreachable
 */
export async function chargeByOwner(
  uses: readonly CounterUse[],
  charge: (uses: readonly CounterUse[]) => Promise<Charged>,
  refunds: Pick<Refunds, 'send'>,
): Promise<Charged> {
  let before: Charged = { admitted: true, readings: [], violated: -1, receipt: [] };
  for (const ofOwner of runsOfOwners(uses)) {
    const charged = await charge(ofOwner).catch((error: unknown) => {
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

/** The earlier owners' readings once their charges are refunded. A log or bucket may reset earlier than its reading says. */
function uncharged(uses: readonly CounterUse[], { readings, receipt }: Charged): CounterReading[] {
  const charges = new Map(receipt.map((entry) => [counterOf(entry), entry.charge]));
  return readings.map((reading, index) => {
    const charge = charges.get(counterOf(uses[index]!)) ?? 0;
    return { ...reading, used: reading.used - charge, remaining: reading.remaining + charge };
  });
}

/** Neighbours of one owner, together. */
export function runsOfOwners(uses: readonly CounterUse[]): CounterUse[][] {
  const runs: CounterUse[][] = [];
  for (const use of uses) {
    const last = runs.at(-1);
    if (last && last[0]!.owner === use.owner) last.push(use);
    else runs.push([use]);
  }
  return runs;
}
