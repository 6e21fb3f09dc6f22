import { expect, it } from 'vitest';
import { type CpuProfile, framesOf } from '../../bench/flame-graph/frames.ts';
import { svgOf } from '../../bench/flame-graph/svg.ts';

const node = (id: number, functionName: string, children: number[] = [], url = 'file:///app/dist/a.js') => ({
  id,
  callFrame: { functionName, url, lineNumber: 9 },
  children,
});

/** Two seconds: serve calls read twice, from two nodes, waits in between, and the collector runs. */
const profile: CpuProfile = {
  startTime: 0,
  endTime: 2_000_000,
  nodes: [
    node(1, '(root)', [2, 5, 6], ''),
    node(2, 'serve<T>', [3, 4]),
    node(3, 'read'),
    node(4, 'read'),
    node(5, '(idle)', [], ''),
    node(6, '(garbage collector)', [], ''),
  ],
  samples: [3, 5, 4, 2, 6],
  timeDeltas: [400_000, 600_000, 300_000, 500_000, 200_000],
};

it('counts a function once under its caller, and no time in which the process waited', () => {
  const root = framesOf(profile);
  expect(root.micros).toBe(1_400_000);
  const serve = root.children.get('serve<T> dist/a.js:10');
  expect(serve?.micros).toBe(1_200_000);
  expect([...serve!.children.values()]).toMatchObject([{ name: 'read', micros: 700_000 }]);
});

it('leaves out what lies before or after the moments that are given', () => {
  expect(framesOf(profile, 1.5).micros).toBe(700_000);
  expect(framesOf(profile, 0, 1.5).micros).toBe(700_000);
});

it('draws each function as wide as its share, with names that are no markup', () => {
  const svg = svgOf(framesOf(profile), 'a & b');
  expect(svg).toContain('<title>a &amp; b</title>');
  expect(svg).toContain('<title>serve&lt;T&gt; dist/a.js:10 85.7 %, 1200 ms</title>');
  expect(svg.match(/width="(\d+\.\d)" height="16"/g)).toHaveLength(4);
});

it('draws a profile in which nothing ran', () => {
  expect(svgOf(framesOf({ ...profile, samples: [], timeDeltas: [] }), 'empty')).toContain('empty');
});
