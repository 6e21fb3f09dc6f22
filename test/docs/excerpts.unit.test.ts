import { expect, it } from 'vitest';
import { blocksOf, excerptOf, guides, readGuide } from './blocks.js';

const excerpts = guides.flatMap((guide) =>
  blocksOf(guide).flatMap((block) => {
    const file = excerptOf(block);
    return file ? [{ ...block, file }] : [];
  }),
);

/** Without indentation: an excerpt of nested code begins at the left. */
const flat = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n');

it('guides show code of the examples', () => {
  expect(excerpts.length).toBeGreaterThan(20);
});

it.each(excerpts)('$at shows $file as it is', ({ file, text }) => {
  const source = flat(readGuide(file));
  for (const part of flat(text).split(/^\/\/ …$/m)) expect(source).toContain(part.trim());
});
