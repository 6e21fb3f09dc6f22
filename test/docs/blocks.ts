import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** A fenced block of a Markdown file. What follows its language on the fence says what a test does with it. */
export interface Block {
  /** `docs/building-a-client.md:12`, the line of the fence. */
  readonly at: string;
  readonly language: string;
  readonly info: string;
  readonly text: string;
}

/** README.md, what stands beside it for readers, and all of docs/; decisions are a record and no guide. */
export const guides: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== 'decisions.md')
    .map((name) => `docs/${name}`)
    .sort(),
];

export const readGuide = (file: string): string => readFileSync(new URL(file, root), 'utf8');

export function blocksOf(file: string, markdown = readGuide(file)): Block[] {
  const blocks: Block[] = [];
  let open: { fence: RegExpExecArray; line: number; lines: string[] } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^(\s*)```(\w*) *(.*)$/.exec(line);
    if (open && line.trim() === '```') {
      const [, , language = '', info = ''] = open.fence;
      blocks.push({ at: `${file}:${open.line}`, language, info, text: open.lines.join('\n') });
      open = undefined;
    } else if (open) {
      const indent = open.fence[1]!.length;
      open.lines.push(line.slice(Math.min(indent, line.length - line.trimStart().length)));
    } else if (fence) open = { fence, line: index + 1, lines: [] };
  }
  if (open) throw new Error(`${file}:${open.line}: the block does not end`);
  return blocks;
}

/** The file that a block shows parts of, which a line of `// …` separates; undefined where it is no excerpt. */
export const excerptOf = ({ info }: Block): string | undefined => /^from=(\S+)$/.exec(info)?.[1];

/** What a test does with a block. */
export type Step = { readonly block: Block } & (
  | { readonly kind: 'shell' }
  | { readonly kind: 'graphql'; readonly user: User }
  /** What the block before has answered. */
  | { readonly kind: 'answer' }
  /** What the newest subscription sends next. */
  | { readonly kind: 'update' }
  | { readonly kind: 'file'; readonly name: string }
  /** Rate-limit rules, which are checked and not put in force. */
  | { readonly kind: 'rules' }
);

/** Those whose tokens `npm start` prints, and one more. */
export const users = {
  alice: ['user'],
  bob: ['user'],
  shop: ['user', 'producer'],
  root: ['user', 'producer', 'admin'],
} as const;
export type User = keyof typeof users;

/**
 * Undefined for what is only shown.
 *
 * @throws where nothing says what the block is for: a command that no test runs says why (`not run: …`)
 */
export function stepOf(block: Block): Step | undefined {
  const { language, info, at } = block;
  if (/^not run: \S/.test(info) || excerptOf(block)) return undefined;
  const file = /^file=(\S+)$/.exec(info);
  if (file) return { kind: 'file', name: file[1]!, block };
  if (info === 'answer' && /^(json|text)$/.test(language)) return { kind: 'answer', block };
  if (info === 'update' && language === 'json') return { kind: 'update', block };
  if (language === 'sh' && info === '') return { kind: 'shell', block };
  if (language === 'yaml' && info === 'rules') return { kind: 'rules', block };
  if (language === 'graphql') {
    const user = info === '' ? 'alice' : /^as (\w+)$/.exec(info)?.[1];
    if (user && Object.hasOwn(users, user)) return { kind: 'graphql', user: user as User, block };
  }
  if (info === '' && !/^(sh|graphql|bash|shell)$/.test(language)) return undefined;
  throw new Error(`${at}: \`${language} ${info}\` says neither how to run it nor why it is not run`);
}
