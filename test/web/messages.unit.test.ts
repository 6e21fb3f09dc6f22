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

const sources = new Map(
  globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['generated/**'] }).map((file) => [
    file,
    readFileSync(path.join(root, file), 'utf8'),
  ]),
);

/** The files that use the texts of one part: those beside it, or those that name its hook. */
function usersOf(file: string): string {
  const [, owner = ''] =
    [...sources].find(([name, source]) =>
      [...source.matchAll(/from '(\.[^']*en\.json)'/g)].some(
        ([, to = '']) => path.join(path.dirname(name), to) === file,
      ),
    ) ?? [];
  const [, hook = ''] = /^(?:export )?const (\w+) = defineTexts\(/m.exec(owner) ?? [];
  const folder = path.dirname(file).replace(/\/?messages$/, '');
  const users = [...sources].filter(
    ([name, source]) =>
      name.startsWith(`${folder}/`) || (hook !== 'useTexts' && new RegExp(`\\b${hook}\\b`).test(source)),
  );
  return users.map(([, source]) => source).join('\n');
}

/** Whether a source has a key: written out, or made of parts of which at least one is written out. */
function keysIn(source: string): (key: string) => boolean {
  const written = new Set([...source.matchAll(/'([^'\n]*)'/g)].map(([, key]) => key));
  const made = [...source.matchAll(/`((?:[\w.]|\$\{[^}`]*\})+)`/g)]
    .map(([, text = '']) => text.split(/\$\{[^}]*\}/))
    .filter((parts) => parts.some((part) => /\w\.|\.\w/.test(part)))
    .map((parts) => new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('[^.]+')}$`));
  return (key) => written.has(key) || made.some((pattern) => pattern.test(key));
}

describe.each(files)('the texts of %s', (file) => {
  const english = read(file);
  const german = read(file.replace(/en\.json$/, 'de.json'));

  test('are there in German too, and no others', () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
  });

  test('are all shown somewhere', () => {
    const isUsed = keysIn(usersOf(file));
    const keys = new Set([...english.keys()].map((key) => key.replace(/_(one|other)$/, '')));
    expect([...keys].filter((key) => !isUsed(key))).toEqual([]);
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
