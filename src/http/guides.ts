import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { fixedAnswer } from './fixed-answer.js';

/** A link within the checkout, which leads nowhere where the guide is served. */
const RELATIVE_LINK = /\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g;

/** The guide that a refused client is pointed to, at `/docs/limits`, as Markdown; files of the checkout are named, not linked. */
export function registerGuides(app: FastifyInstance): void {
  const text = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
  const limits = fixedAnswer('text/markdown; charset=utf-8', text.replace(RELATIVE_LINK, '$1'));
  app.get('/docs/limits', { config: { gate: 'open' } }, limits);
}
