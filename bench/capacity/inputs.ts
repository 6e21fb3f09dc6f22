import { readFile } from 'node:fs/promises';
import type { Inputs } from './demand.ts';
import figures from './figures.json' with { type: 'json' };
import load from './load.json' with { type: 'json' };
import machines from './machines.json' with { type: 'json' };

/** What benchmarks measured, by name: unit in the name, benchmark and date beside the value. */
export type Figures = typeof figures;
/** What users do: required, or assumed. */
export type Load = typeof load;
/** Sizes of one machine of each kind. */
export type Machines = typeof machines;

/** One input as its file has it. */
export interface Entry {
  readonly value: number;
  readonly unit: string;
  /** The benchmark or document; of a measured figure with its date. */
  readonly from: string;
}

export type Numbers<File> = Readonly<Record<keyof File, number>>;

/** A file that replaces some values of ours: `{"name": 1.5}` or `{"name": {"value": 1.5, …}}`. */
export interface Own {
  readonly figures?: string | undefined;
  readonly load?: string | undefined;
  readonly machines?: string | undefined;
}

/** @throws where a file has a name that is not known, or a value that is no number from 0 */
export async function readInputs(own: Own = {}): Promise<Inputs> {
  const [ofFigures, ofLoad, ofMachines] = await Promise.all([
    numbersIn(figures, own.figures),
    numbersIn(load, own.load),
    numbersIn(machines, own.machines),
  ]);
  return { figures: ofFigures, load: ofLoad, machines: ofMachines };
}

/** All inputs of this folder, as they are. */
export const entries = { figures, load, machines } satisfies Record<string, Readonly<Record<string, Entry>>>;

async function numbersIn<File extends Readonly<Record<string, Entry>>>(
  ours: File,
  own: string | undefined,
): Promise<Numbers<File>> {
  const numbers = Object.entries(ours).map(([name, { value }]) => [name, value] as const);
  const theirs = own ? parseOwn(own, await readFile(own, 'utf8'), new Set(Object.keys(ours))) : {};
  return { ...Object.fromEntries(numbers), ...theirs } as Numbers<File>;
}

/** @throws with the file and the name at fault */
export function parseOwn(
  file: string,
  text: string,
  known: ReadonlySet<string>,
): Readonly<Record<string, number>> {
  const parsed: Readonly<Record<string, unknown>> = JSON.parse(text);
  return Object.fromEntries(
    Object.entries(parsed).map(([name, entry]) => {
      if (!known.has(name))
        throw new Error(`${file}: ${name} is none of the inputs: ${[...known].join(', ')}`);
      const value = typeof entry === 'object' && entry ? (entry as Partial<Entry>).value : entry;
      if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
        throw new Error(`${file}: ${name} must be a number from 0, and is ${JSON.stringify(value)}`);
      return [name, value];
    }),
  );
}
