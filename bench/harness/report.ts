import type { Benchmark, Outcome } from './benchmark.ts';

/** What can be run, for a person. */
export function listOf(benchmarks: readonly Benchmark[]): string {
  const lines = benchmarks.map(({ name, summary }) => `  ${name.padEnd(20)} ${summary}`);
  return `Benchmarks:\n${lines.join('\n')}\n`;
}

/** Ratios with their targets first, then the figures. */
export function tableOf({ name, targets }: Benchmark, { ratios, figures }: Outcome): string {
  const ratioLines = Object.entries(ratios).map(([peer, ratio]) => {
    const target = targets[peer];
    const verdict = target === undefined ? '' : `  (target ${target}: ${ratio >= target ? 'met' : 'MISSED'})`;
    return [`× ${peer}`, `${ratio.toFixed(2)}${verdict}`] as const;
  });
  const figureLines = Object.entries(figures).map(([figure, value]) => [figure, readable(value)] as const);
  const width = Math.max(...[...ratioLines, ...figureLines].map(([label]) => label.length));
  const row = ([label, text]: readonly [string, string]) => `  ${label.padEnd(width)}  ${text}`;
  return [name, ...ratioLines.map(row), '', ...figureLines.map(row), ''].join('\n');
}

/** The run as one line of JSON. */
export function jsonLine({ name, targets }: Benchmark, { ratios, figures }: Outcome): string {
  return JSON.stringify({ name, ratios: rounded(ratios), figures: rounded(figures), targets });
}

function rounded(values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Number(value.toFixed(3))]));
}

function readable(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3)).toString();
}
