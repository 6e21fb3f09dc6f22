import { readFileSync } from 'node:fs';
import { fixedAnswer } from './fixed-answer.js';

/** A link within the checkout, which leads nowhere where the guide is served. */
const RELATIVE_LINK = /\[([^[\]]+)\]\((?!https?:|#)[^()]*\)/g;

/** The handler of the guide that a refused client is pointed to, `/docs/limits`, as Markdown; files of the checkout are named, not linked. */
export function limitsGuide(): ReturnType<typeof fixedAnswer> {
  const text = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
  return fixedAnswer('text/markdown; charset=utf-8', text.replace(RELATIVE_LINK, '$1'));
}
