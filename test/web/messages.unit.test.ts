import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../../web/src');
const files = globSync('**/en.json', { cwd: root });

interface Messages {
  readonly [key: string]: string | Messages;
}

const read = (file: string): ReadonlyMap<string, string> =>
  new Map(flat(JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Messages, ''));

function flat(messages: Messages, prefix: string): [string, string][] {
  return Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  );
}

const valuesIn = (text = ''): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!).sort();

describe.each(files)('the texts of %s', (file) => {
  const english = read(file);
  const german = read(file.replace(/en\.json$/, 'de.json'));

  test('are there in German too, and no others', () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test('name the same values in German', () => {
    const differing = [...english].filter(
      ([key, text]) => String(valuesIn(text)) !== String(valuesIn(german.get(key))),
    );
    expect(differing).toEqual([]);
  });

  test('have both forms where they have one for a number', () => {
    const other = (key: string): string =>
      key.replace(/_(one|other)$/, (_, form) => (form === 'one' ? '_other' : '_one'));
    const counted = [...english.keys()].filter((key) => /_(one|other)$/.test(key));
    expect(counted.filter((key) => !english.has(other(key)))).toEqual([]);
  });

  test('address people in German in one way: the reader by du, what operators see by Sie or not at all', () => {
    const familiar = /\b(du|dich|dir|dein(e[mnrs]?)?)\b/i;
    const formal = /(?<=\S )(Sie|Ihnen|Ihr(e[mnrs]?)?)\b/;
    const wrong = file.startsWith('reader') ? formal : familiar;
    expect([...german].filter(([, text]) => wrong.test(text))).toEqual([]);
  });
});
