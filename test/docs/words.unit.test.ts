import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Words that this project has used for what others have a name for, and that name. Also parts of identifiers count. */
const REPLACED: Readonly<Record<string, string>> = {
  'tell|tells|telling|told|untold': 'notify, publish, report, say',
  'story|stories': 'history, timeline, correlation id',
  'ring|rings|ringing|rung|bell|bells|doorbell|doorbells': 'enqueue, wake up; a wake-up job',
  'room|rooms': 'dependencies, pool, space',
  'guard|guards': 'inline projection, check',
  'passage|reception|foresee|foresees|foreseen': 'rate-limit check, authentication, estimate',
  'disbelief|believe|believes|believed': 'authentication error; trust, accept',
  'standing|stands still': 'feed cursor; stalled',
  'patience|impatient|leash': 'timeout, deadline',
  'sparing|offender|offenders': 'denial cache',
  'hold back|holds back|held back|holding back': 'defer',
  'take-back|take-backs': 'refund, undo',
  'ear|ears': 'subscriber',
  'seal|seals|sealed|unsealed|verdict|verdicts': 'sign; decision',
  'whoever|he|him|his|himself': 'they; a process that, the reader who',
};

/** Where such a word is another one, or has to stay, by file. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // Partitions of the log: docs/glossary.md.
  'test/platform/stream-partitions.int.test.ts': ['seals'],
  // Processes of earlier versions enqueue and take jobs of this name.
  'src/domains/notifications/delivery/tasks.ts': ['ring'],
  'src/domains/notifications/intake/limit.ts': ['verdict'],
  // A field of the public API.
  'schema.graphql': ['guards'],
  'src/schema/limits.ts': ['guards'],
};

/** Files and folders that are still to be rewritten. */
const NOT_YET_CHECKED: readonly string[] = [
  'docs/',
  'prisma/functions/',
  'src/demo/',
  'src/domains/commerce/',
  'src/domains/feed/',
  'src/domains/limits/',
  'src/domains/notifications/limits/',
  'src/jobs/',
  'src/platform/event-log/',
  'src/projectors/',
  'test/commerce/',
  'test/demo/',
  'test/faults/',
  'test/feed/',
  'test/limits/',
  'test/scale/',
];

const pattern = new RegExp(`(?<![a-z])(?:${Object.keys(REPLACED).join('|')})(?![a-z])`, 'gi');

const filesBelow = (folder: string, ending: RegExp): string[] =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => ending.test(file) && !file.includes('/generated/'));

/** Of a test only what it promises: its body may name what the words of former versions were. */
const promisesIn = (text: string): string =>
  [...text.matchAll(/\b(?:it|test|describe)(?:\.\w+)*(?:\([^'"`]*\))?\(\s*(['"`])(.*?)\1/gs)]
    .map(([, , name]) => name)
    .join('\n');

function wordsIn(file: string): string[] {
  const text = readFileSync(root + file, 'utf8');
  const read = file.startsWith('test/') ? promisesIn(text) : text;
  const apart = read.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  const found = [...new Set(apart.match(pattern)?.map((word) => word.toLowerCase()))];
  return found.filter((word) => !ALLOWED[file]?.includes(word)).map((word) => `${file}: ${word}`);
}

const files = [
  'README.md',
  'CONTRIBUTING.md',
  'schema.graphql',
  ...filesBelow('docs', /\.(md|yml)$/),
  ...filesBelow('prisma/functions', /\.sql$/),
  ...filesBelow('scripts', /\.(mjs|ts|tsx)$/),
  ...filesBelow('src', /\.(ts|sql|lua)$/),
  ...filesBelow('test', /\.test\.ts$/),
];

it('code, guides and the names of tests use the terms that others use', () => {
  const checked = files.filter((file) => !NOT_YET_CHECKED.some((place) => file.startsWith(place)));
  expect(checked.length).toBeGreaterThan(300);
  expect(checked.flatMap(wordsIn)).toEqual([]);
});
