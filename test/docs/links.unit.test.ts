import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { guides } from './blocks.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const withoutBlocks = (markdown: string): string => markdown.replaceAll(/^```.*?^```$/gms, '');

function anchorsOf(file: string): string[] {
  const text = withoutBlocks(readFileSync(file, 'utf8'));
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));
}

function brokenLinksOf(guide: string): string[] {
  const file = path.join(root, guide);
  const text = withoutBlocks(readFileSync(file, 'utf8')).replaceAll(/`[^`]*`/g, '');
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(
    ([link, to, anchor]) => {
      const target = to ? path.join(path.dirname(file), to) : file;
      if (!existsSync(target)) return [link];
      const isGuide = statSync(target).isFile() && target.endsWith('.md');
      return anchor && isGuide && !anchorsOf(target).includes(anchor) ? [link] : [];
    },
  );
}

it.each([...guides, 'docs/decisions.md', 'examples/README.md', 'bench/README.md'])(
  'every link of %s leads to a file that is there, and to a heading of it',
  (guide) => expect(brokenLinksOf(guide)).toEqual([]),
);

it.each([...guides])('every file of the source that %s names is there', (guide) => {
  const text = readFileSync(path.join(root, guide), 'utf8');
  const named = [...text.matchAll(/`((?:src|prisma|test|scripts|rules)\/[\w./-]+\.\w+)`/g)].map(
    ([, file]) => file!,
  );
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

it('docs/README.md has a link to every guide', () => {
  const index = readFileSync(path.join(root, 'docs/README.md'), 'utf8');
  const missing = guides
    .filter((guide) => guide.startsWith('docs/') && guide !== 'docs/README.md')
    .filter((guide) => !index.includes(`](${guide.replace('docs/', '')})`));
  expect(missing).toEqual([]);
});
