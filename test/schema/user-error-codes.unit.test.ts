import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { USER_ERROR_CODES } from '../../src/schema/user-error-codes.js';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const sources = ['src/domains/', 'src/platform/', 'src/resolvers/', 'prisma/functions/'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|sql)$/.test(file) && !file.includes('generated'))
    .map((file) => read(folder + file)),
);
const known = Object.keys(USER_ERROR_CODES);

/** Codes of REST paths that GraphQL has no counterpart of, and those that stand in a delivery's timeline. */
const ELSEWHERE = new Set([
  'MEDIA_EMPTY',
  'MEDIA_TOO_LARGE',
  'MEDIA_TYPE_UNSUPPORTED',
  'UPLOAD_INCOMPLETE',
  'PRECONDITION_FAILED',
  'RANGE_NOT_SATISFIABLE',
  'SIGNATURE_REFUSED',
  'SIGNATURE_EXPIRED',
  'CALLBACK_MALFORMED',
  'WEBHOOK_OFF',
  'LINK_MALFORMED',
]);
/** Codes that no client is answered: a step that is not due, and what a guard sees after its rule was checked. */
const INTERNAL = new Set([
  'STEP_NOT_DUE',
  'FACTS_CHANGED',
  'USER_NOT_FOUND',
  'THREAD_TOO_LONG',
  'REPLIES_CHANGED',
]);

/** The codes in the tables of docs/errors.md, section by section. */
const listed = new Map(
  read('docs/errors.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [
      section.slice(0, section.indexOf('\n')),
      section
        .split('\n')
        .filter((line) => line.startsWith('| `'))
        .flatMap((line) => [...line.split(' | ')[0]!.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1]!)),
    ]),
);

it('has every code of the list of errors that a payload can have', () => {
  const inPayloads = [...listed].flatMap(([section, codes]) => (section === 'Top level' ? [] : codes));
  expect(inPayloads.length).toBeGreaterThan(100);
  expect(inPayloads.filter((code) => !known.includes(code) && !ELSEWHERE.has(code))).toEqual([]);
});

it('has no code that the list of errors lacks, and none that nothing refuses with', () => {
  const all = new Set([...listed.values()].flat());
  expect(known.filter((code) => !all.has(code))).toEqual([]);
  expect(known.filter((code) => !sources.some((text) => new RegExp(`['"]${code}['"]`).test(text)))).toEqual(
    [],
  );
});

it('has no code that no test is refused with', () => {
  const tests = readdirSync(new URL('test/', root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('user-error-codes'))
    .map((file) => read(`test/${file}`));
  expect(known.filter((code) => !tests.some((text) => new RegExp(`\\b${code}\\b`).test(text)))).toEqual([]);
});

it('has every code with which code refuses', () => {
  const made = sources.flatMap((text) =>
    [...text.matchAll(/\b(?:refused|fault)\(\s*'([A-Z_]+)'|["']refuse["'][:,] ["']([A-Z_]+)["']/g)].map(
      (match) => match[1] ?? match[2]!,
    ),
  );
  expect(new Set(made).size).toBeGreaterThan(60);
  const missing = [...new Set(made)].filter(
    (code) => !known.includes(code) && !ELSEWHERE.has(code) && !INTERNAL.has(code),
  );
  expect(missing).toEqual([]);
});
