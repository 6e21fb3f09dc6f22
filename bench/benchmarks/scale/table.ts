import { allowed } from '../../../test/scale/allowed.ts';
import type { Measured } from '../../../test/scale/measure.ts';

const heads = ['blocks', 'blocks', 'rows', 'rows', 'p50 ms', 'p50 ms'];

/** What each touched at two sizes, those that grew most first; `!` marks what grew by more than is allowed. */
export function tableOfGrowth(sizes: readonly [number, number], before: Measured, after: Measured): string {
  const growth = (name: string): number =>
    (after.get(name)?.blocks ?? 0) / Math.max(1, before.get(name)?.blocks ?? 0);
  const names = [...after.keys()].sort((one, other) => growth(other) - growth(one));
  const width = Math.max(...names.map((name) => name.length));
  const line = (mark: string, label: string, cells: readonly (string | number)[]) =>
    `${mark} ${label.padEnd(width)} ${cells.map((cell) => String(cell).padStart(10)).join('')}\n`;
  const rows = names.map((name) => {
    const [small, large] = [before.get(name), after.get(name)!];
    const mark = small && large.blocks > allowed(name, small.blocks) ? '!' : ' ';
    const cells = [
      small?.blocks ?? '-',
      large.blocks,
      small?.rows ?? '-',
      large.rows,
      (small?.ms ?? Number.NaN).toFixed(1),
      large.ms.toFixed(1),
    ];
    const why = mark === '!' ? `    ${large.heaviest[0]?.blocks}: ${large.heaviest[0]?.statement}\n` : '';
    return line(mark, name, cells) + why;
  });
  const [small, large] = sizes.map((size) => size.toLocaleString('en'));
  return line(' ', `${small} and ${large} users`, heads) + rows.join('');
}
