import { boundsOf } from './bounds.ts';
import { entries, readInputs } from './inputs.ts';
import { planFor } from './model.ts';
import { inputsTable, tablesOf } from './tables.ts';

/** Users of a day for which docs/scale.md has a plan. */
export const STEPS: readonly number[] = [1e6, 1e7, 1e8, 5e8];

/** The tables of docs/scale.md, by the name of their place. */
export async function guideTables(): Promise<Readonly<Record<string, string>>> {
  const inputs = await readInputs();
  const plans = STEPS.map((users) => planFor(users, inputs));
  return {
    ...tablesOf(plans, boundsOf(inputs)),
    figures: inputsTable(entries.figures),
    load: inputsTable(entries.load),
    sizes: inputsTable(entries.machines),
  };
}
