import { readFile, writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { boundsOf } from './bounds.ts';
import { guideTables, STEPS } from './guide.ts';
import { type Own, readInputs } from './inputs.ts';
import { planFor } from './model.ts';
import { fillGuide, tablesOf } from './tables.ts';

interface Options extends Own {
  readonly json?: boolean;
  readonly users?: readonly number[];
  readonly write?: boolean;
}

await new Command('npm --prefix bench run --silent capacity --')
  .description('machines for so many users a day, by measured figures: docs/scale.md')
  .option('--json', 'plans and bounds as one line of JSON')
  .option('--users <counts>', 'users of a day, separated by commas', countsIn)
  .option('--figures <file>', 'JSON with figures of your own, instead of some of figures.json')
  .option('--load <file>', 'the same, of load.json')
  .option('--machines <file>', 'the same, of machines.json')
  .option('--write', 'write the tables of the inputs as they are into docs/scale.md')
  .action(async ({ json, write, users = STEPS, ...own }: Options) => {
    if (write) return writeGuide();
    const inputs = await readInputs(own);
    const plans = users.map((count) => planFor(count, inputs));
    const bounds = boundsOf(inputs);
    const text = json
      ? JSON.stringify({ plans, bounds })
      : Object.values(tablesOf(plans, bounds)).join('\n\n');
    process.stdout.write(`${text}\n`);
  })
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });

async function writeGuide(): Promise<void> {
  const guide = new URL('../../docs/scale.md', import.meta.url);
  await writeFile(guide, fillGuide(await readFile(guide, 'utf8'), await guideTables()));
}

function countsIn(text: string): number[] {
  return text.split(',').map((part) => {
    const count = Number(part);
    if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('Whole numbers from 1.');
    return count;
  });
}
