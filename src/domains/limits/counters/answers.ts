import type { ReceiptEntry, Tier } from '../../../platform/gate.js';
import { encodedPace, firstWithKey } from './encoding.js';
import type { Charged, CounterReading, CounterUse } from './store.js';

const BYTES_A_NUMBER = 8;
/** As many as in the files of the algorithms. */
const numbersIn = ({ algorithm }: Tier): number =>
  algorithm === 'sliding_window_counter' || algorithm === 'sliding_window_log' ? 3 : 2;

/** Where in the answer to a check the states of its uses are, see checks.lua; in numbers. Alike for checks of one kind. */
export interface AnswerShape {
  readonly places: readonly number[];
  readonly size: number;
}

export function shapeOf(uses: readonly CounterUse[]): AnswerShape {
  const places: number[] = [];
  let size = 0;
  for (const [first, { key }] of uses.entries()) {
    if (firstWithKey(uses, first) !== first) continue;
    size += 1;
    for (let i = first; i < uses.length; i += 1) {
      if (uses[i]!.key !== key) continue;
      places[i] = size;
      size += numbersIn(uses[i]!.tier);
    }
  }
  return { places, size };
}

/** Reads what a script answered of one check after the other: see checks.lua. Its states are explained here. */
export class CheckAnswers {
  private readonly numbers: DataView;
  private readonly now: number;
  private at = 1;
  private place = 1;

  /** @param call the name of the call: it is part of a log's marks */
  constructor(
    answer: Buffer,
    private readonly call: string,
  ) {
    this.numbers = new DataView(answer.buffer, answer.byteOffset, answer.byteLength);
    this.now = this.number(0);
  }

  /** The next check: as many readings as were looked at. */
  next(uses: readonly CounterUse[], { places, size }: AnswerShape): Charged {
    const first = this.place;
    this.place += uses.length;
    const lookedAt = this.number(this.at);
    const unfit = this.number(this.at + 1);
    const states = this.at + 2;
    this.at = states + size;
    const readings: CounterReading[] = [];
    for (let i = 0; i < Math.abs(lookedAt); i += 1)
      readings.push(this.reading(uses[i]!.tier, states + places[i]!));
    const violated = unfit === 0 ? -1 : this.unfit(unfit, uses, readings);
    if (lookedAt < 0) return { admitted: false, readings, violated, receipt: [] };
    const receipt: ReceiptEntry[] = [];
    for (let i = 0; i < uses.length; i += 1) {
      const use = uses[i]!;
      if (readings[i]!.retryAfterMs !== 0) continue;
      const isLog = use.tier.algorithm === 'sliding_window_log';
      if (isLog && this.number(states + places[i]! + 2) === 1) continue;
      const mark = isLog ? (use.name ?? `${this.call}:${first + i}`) : markOf(use.tier, readings[i]!);
      receipt.push({
        key: use.key,
        owner: use.owner,
        algorithm: use.tier.algorithm,
        charge: use.charge,
        mark,
        tier: use.tier,
      });
    }
    return { admitted: true, readings, violated: -1, receipt };
  }

  /** Notes how long the uses that do not fit have to wait; returns the enforced one that fits last. */
  private unfit(count: number, uses: readonly CounterUse[], readings: CounterReading[]): number {
    let violated = -1;
    for (let n = 0; n < count; n += 1) {
      const index = this.number(this.at);
      const wait = this.number(this.at + 1);
      this.at += 2;
      const retryAfterMs = wait < 0 ? Number.POSITIVE_INFINITY : wait;
      readings[index] = { ...readings[index]!, retryAfterMs };
      if (!uses[index]!.tier.shadow && retryAfterMs > (readings[violated]?.retryAfterMs ?? 0))
        violated = index;
    }
    return violated;
  }

  /** What the state of a counter means: see the file of its algorithm. */
  private reading(tier: Tier, at: number): CounterReading {
    const time = this.number(at);
    const count = this.number(at + 1);
    switch (tier.algorithm) {
      case 'fixed_window':
        return readingOf(tier, count, count, time + tier.windowSeconds * 1_000_000);
      case 'sliding_window_counter': {
        const window = tier.windowSeconds * 1_000_000;
        const left = (this.number(at + 2) * (window - Math.max(0, this.now - time))) / window;
        return readingOf(tier, count + Math.floor(left), count + Math.ceil(left), time + window);
      }
      case 'token_bucket': {
        const { rate, window } = encodedPace(tier);
        const missing = tier.limit - count;
        return readingOf(tier, missing, missing, time + Math.ceil(missing / rate) * window);
      }
      case 'leaky_bucket': {
        const level = count / (tier.windowSeconds * 1_000_000);
        // See leaky-bucket.lua: a rounded level may be above the units that it has.
        const used = Math.ceil(count < Number.MAX_SAFE_INTEGER ? level : level - 1e-6);
        return readingOf(tier, used, used, time + Math.ceil(count / tier.perWindow));
      }
      case 'sliding_window_log':
        return readingOf(tier, time, time, count);
    }
  }

  private number(index: number): number {
    return this.numbers.getFloat64(index * BYTES_A_NUMBER, true);
  }
}

/** Of a use that fits. Units in use, rounded down and up; when it resets, in microseconds. */
function readingOf({ limit }: Tier, least: number, most: number, resetAt: number): CounterReading {
  return {
    used: most,
    remaining: Math.max(0, limit - least),
    resetAt: Math.ceil(resetAt / 1_000),
    retryAfterMs: 0,
  };
}

function markOf({ algorithm, windowSeconds }: Tier, { resetAt }: CounterReading): ReceiptEntry['mark'] {
  const isOfWindow = algorithm === 'fixed_window' || algorithm === 'sliding_window_counter';
  return isOfWindow ? resetAt / (windowSeconds * 1_000) - 1 : '';
}
