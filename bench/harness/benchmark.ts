import type { Rounds } from './rounds.ts';

/** One thing that is measured, beside those who do the same. To add one: write it and list it in `benchmarks/index.ts`. */
export interface Benchmark {
  /** As typed after `npm run bench --`. */
  readonly name: string;
  /** One line for the list of benchmarks. */
  readonly summary: string;
  /** The least ratio that is good enough, by the names that `ratios` uses. */
  readonly targets: Readonly<Record<string, number>>;
  /**
   * Measures everything once over. Ends every process that it started, also when it throws.
   *
   * @throws when a contestant's answers are wrong: a fast wrong answer is never a figure
   */
  run(context: BenchContext): Promise<Outcome>;
}

/** What one run found. */
export interface Outcome {
  /** Ours over the peer's, above 1 when we are ahead. */
  readonly ratios: Readonly<Record<string, number>>;
  /** Everything else worth knowing, unit in the name. */
  readonly figures: Readonly<Record<string, number>>;
}

/** How this run was asked for. */
export interface BenchContext {
  /** Short rounds, for trying: the figures are rough. */
  readonly quick: boolean;
  /** How many events, or other things, are there to be measured on, where that was asked for. */
  readonly size?: number;
  /** How much data (`--users`); absent: as much as the benchmark takes by itself. */
  readonly users: number | undefined;
  /** How long a steady load is measured (`--minutes`), and how much comes a second (`--per-second`); those that have one. */
  readonly minutes?: number;
  readonly perSecond?: number;
  /** Measures contestants in turn, as many rounds as asked for. */
  readonly rounds: Rounds;
  /** Whether a contestant takes part (`--only`). */
  takesPart(contestant: string): boolean;
  /** Tells a person how far the run is; never part of the result. */
  note(line: string): void;
}
