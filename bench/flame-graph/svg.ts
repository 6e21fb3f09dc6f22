import type { Frame, Origin } from './frames.ts';

const WIDTH = 1_200;
const ROW = 17;
const LETTER = 6.2;
/** Narrower frames are left out: nobody could see them. */
const NARROWEST = 1;

/**
 * A frame as a flame graph: the process on top, below each function what it called, as wide as the CPU that it took.
 * Each rectangle says its function, place and share when it is pointed at; its colour says whose code it is.
 */
export function svgOf(root: Frame, title: string): string {
  const shapes: string[] = [];
  let rows = 0;
  draw(root, 0, 0);
  const height = (rows + 3) * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10">
<title>${escaped(title)}</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="4" y="12">${escaped(title)}</text>
${shapes.join('\n')}
</svg>
`;

  function draw(frame: Frame, left: number, row: number): void {
    const width = (frame.micros / root.micros) * WIDTH;
    if (!(width >= NARROWEST)) return;
    rows = Math.max(rows, row);
    shapes.push(shapeOf(frame, left, (row + 1) * ROW, width, frame.micros / root.micros));
    let at = left;
    for (const child of [...frame.children.values()].toSorted((a, b) => b.micros - a.micros)) {
      draw(child, at, row + 1);
      at += (child.micros / root.micros) * WIDTH;
    }
  }
}

function shapeOf(
  { name, place, origin, micros }: Frame,
  x: number,
  y: number,
  width: number,
  share: number,
): string {
  const letters = Math.floor((width - 4) / LETTER);
  const text =
    letters < 3
      ? ''
      : `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(name.slice(0, letters))}</text>`;
  const about = `${name} ${place} ${(100 * share).toFixed(1)} %, ${(micros / 1_000).toFixed(0)} ms`;
  return `<g><title>${escaped(about)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${COLOURS[origin]}"/>${text}</g>`;
}

const COLOURS: Readonly<Record<Origin, string>> = {
  V8: '#d6d6d6',
  Node: '#b9d9ef',
  package: '#f3dfa8',
  product: '#f3b28a',
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
