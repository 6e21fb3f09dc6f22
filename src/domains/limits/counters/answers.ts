import type { ReceiptEntry, Tier } from '../../../platform/gate.js';
import type { Charged, CounterReading, CounterUse } from './store.js';

/** What one use takes in an answer of `peek.lua`. */
const NUMBERS_A_PEEK = 3;

/** What `peek.lua` answered of some uses. */
export function peeked(uses: readonly CounterUse[], answers: readonly number[]): CounterReading[] {
  return uses.map(({ tier }, index) => {
    const at = NUMBERS_A_PEEK * index;
    return reading(tier, answers[at]!, answers[at + 1]!, answers[at + 2]!);
  });
}

const BYTES_A_NUMBER = 8;

/** Reads what `charge.lua` answered of one check after the other. */
export class ChargeAnswers {
  private at = 0;
  private place = 1;

  /** @param call the name of the call: it is part of a log's marks */
  constructor(
    private readonly answers: Buffer,
    private readonly call: string,
  ) {}

  /** The next check: as many readings as `charge.lua` looked at, by the rule by which it stopped. */
  next(uses: readonly CounterUse[]): Charged {
    const readings: CounterReading[] = [];
    const receipt: ReceiptEntry[] = [];
    const first = this.place;
    let violated = -1;
    this.place += uses.length;
    for (let i = 0; i < uses.length; i += 1) {
      const use = uses[i]!;
      const inUse = this.nextNumber();
      const reset = this.nextNumber();
      const current =
        inUse < 0
          ? reading(use.tier, -1 - inUse, reset, this.nextNumber())
          : reading(use.tier, inUse, Math.abs(reset), 0);
      readings.push(current);
      if (current.retryAfterMs === 0) {
        if (reset > 0) receipt.push(entryOf(use, current, use.name ?? `${this.call}:${first + i}`));
      } else if (!use.tier.shadow) {
        if (current.retryAfterMs > (readings[violated]?.retryAfterMs ?? 0)) violated = i;
        if (use.name === undefined) break;
      }
    }
    if (violated !== -1) return { admitted: false, readings, violated, receipt: [] };
    return { admitted: true, readings, violated, receipt };
  }

  private nextNumber(): number {
    const number = this.answers.readDoubleLE(this.at);
    this.at += BYTES_A_NUMBER;
    return number;
  }
}

/** @param inUse the floor and the ceiling of the units in use, added up */
function reading({ limit }: Tier, inUse: number, resetAt: number, wait: number): CounterReading {
  return {
    used: Math.ceil(inUse / 2),
    remaining: Math.max(0, limit - Math.floor(inUse / 2)),
    resetAt,
    retryAfterMs: wait < 0 ? Number.POSITIVE_INFINITY : wait,
  };
}

function entryOf(use: CounterUse, found: CounterReading, logMark: string): ReceiptEntry {
  const { tier, key, owner, charge } = use;
  return { key, owner, algorithm: tier.algorithm, charge, mark: markOf(tier, found, logMark), tier };
}

function markOf({ algorithm, windowSeconds }: Tier, { resetAt }: CounterReading, logMark: string): string {
  switch (algorithm) {
    case 'fixed_window':
    case 'sliding_window_counter':
      return String(resetAt / (windowSeconds * 1_000) - 1);
    case 'sliding_window_log':
      return logMark;
    default:
      return '';
  }
}
