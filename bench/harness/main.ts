import { parseArgs } from 'node:util';
import { benchmarks } from '../benchmarks/index.ts';
import type { Benchmark } from './benchmark.ts';
import { jsonLine, listOf, tableOf } from './report.ts';
import { roundsOf } from './rounds.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
  },
});

const benchmark = benchmarks.find(({ name }) => name === positionals[0]);
if (benchmark) await measure(benchmark);
else {
  process.stderr.write(listOf(benchmarks));
  process.exitCode = positionals.length === 0 ? 0 : 2;
}

async function measure(benchmark: Benchmark): Promise<void> {
  const only = values.only?.split(',');
  const count = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isInteger(count) || count < 1) throw new RangeError('--rounds takes a whole number from 1');
  const outcome = await benchmark.run({
    quick: values.quick,
    rounds: roundsOf(count),
    takesPart: (name) => only?.includes(name) ?? true,
    note: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(tableOf(benchmark, outcome));
  if (values.json) process.stdout.write(`${jsonLine(benchmark, outcome)}\n`);
}
