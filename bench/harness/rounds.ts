/** Somebody who can be measured again and again. */
export interface Contestant<Sample> {
  readonly name: string;
  /** Takes one sample. */
  measure(): Promise<Sample>;
}

/** Every sample of every contestant, by name, in the order of the rounds. */
export type Samples<Sample> = ReadonlyMap<string, readonly Sample[]>;

/**
 * Measures contestants in turn: A B C, A B C, …, so that a slow minute of the machine meets all alike.
 *
 * @param told hears each sample as it is taken
 * @param finer how many short samples a round takes where one long one would vary too much
 */
export type Rounds = <Sample>(
  contestants: readonly Contestant<Sample>[],
  told?: (name: string, sample: Sample) => void,
  finer?: number,
) => Promise<Samples<Sample>>;

/** Rounds of which there are `count`. */
export function roundsOf(count: number): Rounds {
  return async (contestants, told, finer = 1) => {
    const samples = new Map(
      contestants.map(({ name }) => [
        name,
        [] as Awaited<ReturnType<(typeof contestants)[number]['measure']>>[],
      ]),
    );
    for (let round = 0; round < count * finer; round += 1) {
      for (const contestant of contestants) {
        const sample = await contestant.measure();
        samples.get(contestant.name)?.push(sample);
        told?.(contestant.name, sample);
      }
    }
    return samples;
  };
}

/**
 * The middle value; the mean of the middle two when there are as many above as below.
 *
 * @throws RangeError when there is no value
 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new RangeError('no values to take the median of');
  return (upper + lower) / 2;
}

/** The median of each figure that the first has. */
export function medianOfEach<Figure extends string>(
  taken: readonly Readonly<Record<Figure, number>>[],
): Record<Figure, number> {
  const names = Object.keys(taken[0] ?? {}) as Figure[];
  return Object.fromEntries(names.map((name) => [name, median(taken.map((one) => one[name]))])) as Record<
    Figure,
    number
  >;
}

/**
 * The median of `ours` over each other contestant's median, of a quantity that is better when larger.
 * Empty when `ours` did not take part.
 */
export function ratiosOver<Sample>(
  ours: string,
  samples: Samples<Sample>,
  quantity: (sample: Sample) => number,
): Record<string, number> {
  const medians = new Map([...samples].map(([name, taken]) => [name, median(taken.map(quantity))]));
  const own = medians.get(ours);
  if (own === undefined) return {};
  medians.delete(ours);
  return Object.fromEntries([...medians].map(([name, theirs]) => [name, own / theirs]));
}
