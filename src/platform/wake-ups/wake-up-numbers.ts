/**
 * A place in the wake-up stream. Entries are numbered without gaps within an epoch; a Redis that lost its counter begins
 * another epoch, at random, so that numbers of two lives are never taken for one sequence.
 */
export interface StreamPlace {
  readonly epoch: string;
  readonly number: number;
}

/** @param text `epoch/number`, as the counter and each entry have it; undefined for anything else */
export function parsePlace(text: string | null | undefined): StreamPlace | undefined {
  const [, epoch, digits] = /^([^/]{1,64})\/(\d{1,15})$/.exec(text ?? '') ?? [];
  return epoch === undefined ? undefined : { epoch, number: Number(digits) };
}

/** Follows the numbers that a reader of the stream sees, and says where entries were lost. Pure. */
export class StreamNumbers {
  /** Of the entry that was read last; undefined before the first. */
  private read: number | undefined;

  /** @param start what the counter said when reading began; undefined where there was none */
  constructor(private start: StreamPlace | undefined) {}

  /**
   * @param places of the page's entries, in order
   * @param counter as it stood before the page was read; undefined where there was none
   * @param endsStream whether nothing came after the page
   * @returns whether entries were lost, before the page, in it or at its end, or the stream was rewound or begun anew
   */
  page(places: readonly StreamPlace[], counter: StreamPlace | undefined, endsStream: boolean): boolean {
    const before = this.newest;
    let isLost = false;
    for (const place of places) if (this.entry(place)) isLost = true;
    if (isLost || !endsStream) return isLost;
    if (counter?.epoch !== this.start?.epoch) return true;
    return counter !== undefined && (counter.number < before || counter.number > this.newest);
  }

  /** @returns whether entries before this one were lost, or the stream was rewound */
  private entry({ epoch, number }: StreamPlace): boolean {
    const isLost =
      epoch !== this.start?.epoch ||
      (this.read === undefined ? number > this.start.number + 1 : number !== this.read + 1);
    this.start = { epoch, number: Math.max(number, epoch === this.start?.epoch ? this.start.number : 0) };
    this.read = number;
    return isLost;
  }

  private get newest(): number {
    return Math.max(this.read ?? 0, this.start?.number ?? 0);
  }
}
