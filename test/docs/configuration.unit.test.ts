import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { environment } from '../../src/config.js';

const root = new URL('../../', import.meta.url);
const guide = readFileSync(new URL('docs/operations.md', root), 'utf8');

/** The rows of the table of variables, with the names in their first cell and the text of their second. */
const rows = (/^## Configuration$(.*?)^## /ms.exec(guide)?.[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, names = '', standard = '']) => ({
    names: [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name!),
    standard,
  }));
const listed = rows.flatMap(({ names }) => names);

/** Those that no schema has, since only the command line or `npm start` reads them. */
const elsewhere = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/generated|^sandbox|^demo/.test(file))
  .flatMap((file) => [
    ...readFileSync(new URL(`src/${file}`, root), 'utf8').matchAll(/(?:\benv\.|taken\(')([A-Z][A-Z0-9_]+)/g),
  ])
  .map(([, name]) => name!)
  .filter((name) => !['PATH'].includes(name));

it('docs/operations.md lists every variable of the environment once', () => {
  const read = new Set([...Object.keys(environment.shape), ...elsewhere]);
  expect(listed.toSorted()).toEqual([...read].toSorted());
});

it('docs/operations.md shows the default of every variable that has one', () => {
  for (const [name, schema] of Object.entries(environment.shape)) {
    const parsed = schema.safeParse(undefined);
    if (!parsed.success || parsed.data === undefined) continue;
    const { names, standard } = rows.find((row) => row.names.includes(name))!;
    const several = standard.split(', ');
    const shown = names.length === several.length ? several[names.indexOf(name)] : standard;
    expect(shown?.replaceAll('`', ''), name).toBe(written(parsed.data));
  }
});

/** Bytes are written in MiB where they are whole ones; nothing, and an empty list, as a dash. */
function written(value: unknown): string {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return '–';
  if (typeof value === 'number' && value > 2 ** 20 && value % 2 ** 20 === 0 && value !== 8_388_608)
    return `${value / 2 ** 20} MiB`;
  return String(value);
}
