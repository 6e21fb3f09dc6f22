import type { Gate, Receipt, ReceiptEntry } from '../../platform/gate.js';
import type { CounterStore } from './counters/store.js';

/** Refunds what decisions charged, and nothing twice: everything, or after `settle` what that left. */
export function createDecisionRefunds(store: Pick<CounterStore, 'refund'>): Pick<Gate, 'refund' | 'settle'> {
  // Known by their receipts, which copies of a decision share.
  const settled = new WeakMap<Receipt, Receipt>();
  const refunded = new WeakSet<Receipt>();

  return {
    refund({ receipt }) {
      if (!receipt || refunded.has(receipt)) return;
      refunded.add(receipt);
      const rest = settled.get(receipt) ?? receipt;
      if (rest.length > 0) store.refund(rest);
    },

    settle({ receipt }, actualCost) {
      if (!receipt || refunded.has(receipt) || settled.has(receipt)) return;
      const unused = receipt.map((entry) => unusedOf(entry, actualCost));
      settled.set(
        receipt,
        receipt
          .map((entry, index) => ({ ...entry, charge: restOf(entry, unused[index]!) }))
          .filter(({ charge }) => charge > 0),
      );
      const back = receipt
        .map((entry, index) => ({ ...entry, charge: unused[index]! }))
        .filter(({ charge }) => charge > 0);
      if (back.length > 0) store.refund(back);
    },
  };
}

/** A refund of a log removes its members from the first on; those that are gone already do no harm. */
const restOf = ({ algorithm, charge }: ReceiptEntry, unused: number): number =>
  algorithm === 'sliding_window_log' ? charge : charge - unused;

/** An operation costs 1 at least, as when it was charged. */
function unusedOf({ tier, charge }: ReceiptEntry, actualCost: number): number {
  if (tier.counts !== 'query_cost') return 0;
  return Math.max(0, charge - tier.cost * Math.max(1, Math.ceil(actualCost)));
}
