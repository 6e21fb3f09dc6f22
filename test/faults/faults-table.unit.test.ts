import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

/** `file: name` of each row of the table of faults. */
const rows = (/^## Faults$(.*?)^## /ms.exec(operations)?.[1] ?? '')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.at(-2)?.startsWith('`'))
  .map((cells) => `${cells.at(-2)!.replaceAll('`', '')}: ${cells[1]}`);

/** The same of each test that tries a fault on a whole fleet, whether its name stands alone or in a list of cases. */
const tests = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.e2e.test.ts'))
  .flatMap((file) => {
    const source = readFileSync(path.join(import.meta.dirname, file), 'utf8');
    if (!source.includes('openTrial(')) return [];
    const names = [
      ...source.matchAll(/\bit(?:\.skipIf\(\w+\))?\('([^'%]+)'|^ +\['([^']+)', '(?:apis|workers)'\]/gm),
    ];
    return names.map(([, alone, listed]) => `${file.replace('.test.ts', '')}: ${alone ?? listed}`);
  });

it('docs/operations.md has a row for each fault that is tried, and each of its rows is tried', () => {
  expect(rows.toSorted()).toEqual(tests.toSorted());
  expect(rows.length).toBeGreaterThan(20);
});
