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

/** Names that stay: SQL functions, columns, tasks and schedules that other versions of the processes use. */
const NAMES_THAT_STAY =
  /\b(?:guard_(?:[a-z_]+|…|<name>)|run_guard|cmd_guard\w+|seal_event_partition|seal-log-partitions|tell-user|tell-of-notices)/g;

/** Where such a word is another one, or has to stay, by the beginning of the path. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // Of partitions of the log: docs/glossary.md.
  'docs/architecture.md': ['sealed', 'seals'],
  'docs/decisions.md': ['sealed', 'unsealed'],
  'docs/event-archive.md': ['sealed'],
  'docs/operations.md': ['sealed'],
  'prisma/functions/': ['sealed'],
  'src/jobs/index.ts': ['seal'],
  'src/platform/event-log/': ['seal', 'sealed', 'seals'],
  'test/platform/stream-partitions.int.test.ts': ['seals'],
  // Former names, beside those of now.
  'docs/glossary.md': ['doorbell', 'guard', 'held back', 'sealed'],
  // Part of the hash of a command, by which its repeats are known; and the array of these calls in `append_commands`.
  'src/platform/event-log/append.ts': ['guard'],
  'prisma/functions/append_commands.sql': ['guards', 'guard'],
  // Processes of earlier versions enqueue and take jobs of this name.
  'src/domains/notifications/delivery/tasks.ts': ['ring'],
  // A field of the public API.
  'schema.graphql': ['guards'],
  'src/schema/limits.ts': ['guards'],
  'src/domains/limits/limiter.ts': ['guards'],
  // A name of LiquidJS.
  'src/domains/notifications/templates/liquid/tokens.ts': ['guards'],
  // What posts and products of the demo are about.
  'src/demo/post-phrases.ts': ['rooms', 'told', 'patience'],
  'src/demo/products.ts': ['standing'],
};

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
  const apart = read
    .replaceAll(NAMES_THAT_STAY, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ');
  const found = [...new Set(apart.match(pattern)?.map((word) => word.toLowerCase()))];
  const allowed = Object.keys(ALLOWED)
    .filter((place) => file.startsWith(place))
    .flatMap((place) => ALLOWED[place]!);
  return found.filter((word) => !allowed.includes(word)).map((word) => `${file}: ${word}`);
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
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap(wordsIn)).toEqual([]);
});
