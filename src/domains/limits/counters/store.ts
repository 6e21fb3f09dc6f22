import type { Receipt, Tier } from '../../../platform/gate.js';

/** One counter that a request is held against. */
export interface CounterUse {
  readonly tier: Tier;
  /** Whose counter: `u:alice`, `n:192.0.2.1` or `global`. Keys carry it as their hash tag. */
  readonly owner: string;
  /** The key in Redis that holds the counter: of a `sliding_window_log` its own, else a record, which others may share. */
  readonly key: string;
  readonly charge: number;
  /**
   * Of a `sliding_window_log` only, where the charge is 1: what is counted. A name that is in the window fits it, and is not
   * counted again. Kept for as long as the window, so it had better be short. The reading's `resetAt` is a whole window from
   * now.
   */
  readonly name?: string;
}

/** Names one counter: those of one key differ by their tiers' ids. */
export const counterOf = ({ key, tier }: Pick<CounterUse, 'key' | 'tier'>): string =>
  `${key} ${tier.counterId}`;

/** The state of one counter. */
export interface CounterReading {
  /** Units in use, rounded up; after the charge where it was made. */
  readonly used: number;
  readonly remaining: number;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly resetAt: number;
  /** 0 where the charge fits now; else milliseconds until it may. Infinity where it is larger than the limit. */
  readonly retryAfterMs: number;
}

export interface Charged {
  /** Whether everything was charged; else nothing was, net. */
  readonly admitted: boolean;
  /** In the order of the uses; up to and with the first enforced one that does not fit and has no name. */
  readonly readings: readonly CounterReading[];
  /** The index of the enforced (not shadow) use that does not fit, of several the one that fits last; -1 when admitted. */
  readonly violated: number;
  /** Without names that were in the window: another charge has counted them. */
  readonly receipt: Receipt;
}

/** Shared counters: each call is one atomic step for each owner. */
export interface CounterStore {
  /**
   * Charges all uses or none. Uses must come narrow owner first (`global` last), each of a finite limit, with a whole
   * charge of 1 or more and a counter of its own. Shadow uses that do not fit are not charged and refuse nothing. Calls of
   * one tick travel together.
   *
   * @param isBulk one of many: lets others pass
   * @throws StoreUnreachable
   */
  charge(uses: readonly CounterUse[], isBulk?: boolean): Promise<Charged>;
  /** Reads every counter and charges none. @throws StoreUnreachable */
  peek(uses: readonly CounterUse[]): Promise<readonly CounterReading[]>;
  /**
   * Refunds charges whose windows are still current: never below 0, never creating a key. A name that has left the window
   * and was counted again since is taken out as well. Refunds are gathered and sent soon; a store that is away loses them, which over-charges one window.
   */
  refund(receipt: Receipt): void;
  /** Sends what is gathered, then disconnects, whatever the store does. */
  close(): Promise<void>;
}

/** The counters cannot be asked, for now. */
export class StoreUnreachable extends Error {
  constructor(
    /** A bounded set, for metrics. */
    readonly errorType: 'timeout' | 'connection' | 'breaker_open' | 'command',
    options?: ErrorOptions,
    /** What other owners' counters were charged by then, and stay charged. */
    readonly charged: Receipt = [],
  ) {
    super(`the counters cannot be reached: ${errorType}`, options);
    this.name = 'StoreUnreachable';
  }
}
