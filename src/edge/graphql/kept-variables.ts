import type { Variables } from './cost.js';
import type { Operation } from './documents.js';
import type { Values } from './runner.js';

/** What follows from an operation and the values of its variables. */
export interface Reckoned {
  readonly values: Values;
  readonly cost: number;
}

/**
 * What was reckoned of variables that may come again: those of a body that is kept are the same object each time, and frozen. What they
 * were coerced to is frozen too, as all requests share it; it is not kept where a scalar made an object of a value, which a
 * resolver could change.
 */
export class KeptVariables {
  private readonly kept = new WeakMap<Variables, Reckoned & { readonly operation: Operation }>();

  find(operation: Operation, raw: Variables): Reckoned | undefined {
    const known = this.kept.get(raw);
    return known?.operation === operation ? known : undefined;
  }

  keep(operation: Operation, raw: Variables, { values, cost }: Reckoned): Reckoned {
    const isShared = Object.isFrozen(raw) && Object.keys(raw).length > 0;
    if (isShared && Object.values(values.coerced).every(isPlainValue)) {
      Object.freeze(values.coerced);
      this.kept.set(raw, { operation, values, cost });
    }
    return { values, cost };
  }
}

const isPlainValue = (value: unknown): boolean =>
  value === null || (typeof value !== 'object' && typeof value !== 'function');
