import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { type CpuProfile, framesOf } from './frames.ts';
import { svgOf } from './svg.ts';

interface Options {
  readonly from?: number;
  readonly to?: number;
  readonly title?: string;
}

await new Command('npm --prefix bench run --silent flame-graph --')
  .description('a CPU profile of V8 as a flame graph: an SVG on stdout')
  .argument('<file>', 'what a process wrote that ran with --cpu-prof')
  .option('--from <seconds>', 'leaves out what came before, as the start of the process', seconds)
  .option('--to <seconds>', 'leaves out what came after', seconds)
  .option('--title <text>', 'stands above it (default: the name of the file)')
  .action(async (file: string, { from, to, title = basename(file) }: Options) => {
    const profile = JSON.parse(await readFile(file, 'utf8')) as CpuProfile;
    const root = framesOf(profile, from, to);
    process.stdout.write(svgOf(root, `${title}: ${(root.micros / 1e6).toFixed(1)} s of CPU`));
  })
  .parseAsync();

function seconds(text: string): number {
  const count = Number(text);
  if (!(count >= 0)) throw new InvalidArgumentError('Seconds from 0.');
  return count;
}
