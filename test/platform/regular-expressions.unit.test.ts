import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it, vi } from 'vitest';

// In JavaScript alone: the other forms of the checker are programs of each platform.
vi.hoisted(() => {
  process.env.RECHECK_BACKEND = 'pure';
});

import { checkSync } from 'recheck';

/** Files with a pattern that may take quadratic time, each with what bounds the text. */
const BOUNDED: Record<string, string> = {
  'src/domains/notifications/segments/tokens.ts': 'a filter has at most 8 KB, and its first fault ends it',
};

/** In steps and sizes, never in time: so a pattern is judged the same wherever it is checked. Few, or it takes minutes. */
const LIMITS = {
  attackLimit: 1_000_000,
  attackTimeout: null,
  incubationTimeout: null,
  maxAttackStringSize: 8_000,
  maxGenerationSize: 50,
  maxInitialGenerationSize: 150,
  maxIteration: 5,
  maxNFASize: 1_000,
  randomSeed: 1,
  seedingTimeout: null,
  timeout: null,
};

const files = globSync('src/**/*.ts', { exclude: ['**/generated/**'] }).toSorted();

/** Those whose repetitions have no bound: others take time by their own length. */
function patternsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) && /[*+]|,\}/.test(node.text)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isLinear(literal: string): boolean {
  const end = literal.lastIndexOf('/');
  return checkSync(literal.slice(1, end), literal.slice(end + 1), LIMITS).status === 'safe';
}

it('the check finds patterns that take far longer than their text is long', () => {
  expect(isLinear('/ ?Did you mean [^?]+\\?/')).toBe(false);
  expect(isLinear('/(^|,)\\s*gzip\\s*(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))(;|,|$)/i')).toBe(false);
  expect(isLinear('/\\s+$/')).toBe(false);
  expect(isLinear('/^(a+)+$/')).toBe(false);
  expect(isLinear('/^\\s*\\w+/')).toBe(true);
});

it('no text keeps a process busy for far longer than it takes to read it: no regular expression searches it again and again', {
  timeout: 600_000,
}, () => {
  const found = new Map(files.flatMap((file) => patternsIn(file).map((pattern) => [pattern, file] as const)));
  expect(found.size).toBeGreaterThan(80);
  const slow = [...found].filter(([pattern]) => !isLinear(pattern));
  expect(slow).toEqual([[expect.any(String), ...Object.keys(BOUNDED)]]);
});
