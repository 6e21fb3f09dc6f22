import { Command, InvalidArgumentError } from 'commander';
import { benchmarks } from '../benchmarks/index.ts';
import type { Benchmark } from './benchmark.ts';
import { jsonLine, listOf, tableOf } from './report.ts';
import { roundsOf } from './rounds.ts';

interface Options {
  readonly json?: boolean;
  readonly quick?: boolean;
  readonly rounds?: number;
  readonly size?: number;
  readonly only?: readonly string[];
  readonly users?: number;
  readonly minutes?: number;
  readonly perSecond?: number;
}

await new Command('npm run bench --')
  .description('measures the product against a peer or the bare limit in the same run')
  .argument('[name]', 'the benchmark; none: lists them')
  .option('--json', 'also print one line of JSON')
  .option('--quick', 'one short round: whether it runs, not a figure to quote')
  .option('--rounds <count>', 'how many rounds (default: 3)', wholeNumber)
  .option('--size <count>', 'so many events in the log (projector.rebuild)', wholeNumber)
  .option('--minutes <count>', 'of a steady load: for how long (default: 10)', wholeNumber)
  .option('--per-second <count>', 'of a steady load: how much comes (default: 1000)', wholeNumber)
  .option('--only <contestants>', 'take only these, separated by commas', (list) => list.split(','))
  .option('--users <count>', 'users of the large database of `scale`', wholeNumber)
  .addHelpText('after', () => `\n${listOf(benchmarks)}`)
  .action(async (name: string | undefined, options: Options) => {
    const benchmark = benchmarks.find((one) => one.name === name);
    if (benchmark) await measure(benchmark, options);
    else {
      process.stderr.write(listOf(benchmarks));
      process.exitCode = name === undefined ? 0 : 2;
    }
  })
  .parseAsync();

async function measure(benchmark: Benchmark, options: Options): Promise<void> {
  const { json, quick = false, rounds = quick ? 1 : 3, size, only, users, minutes, perSecond } = options;
  const outcome = await benchmark.run({
    quick,
    ...(size !== undefined && { size }),
    users,
    ...(minutes && { minutes }),
    ...(perSecond && { perSecond }),
    rounds: roundsOf(rounds),
    takesPart: (name) => only?.includes(name) ?? true,
    note: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(tableOf(benchmark, outcome));
  if (json) process.stdout.write(`${jsonLine(benchmark, outcome)}\n`);
}

function wholeNumber(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('A whole number from 1.');
  return count;
}
