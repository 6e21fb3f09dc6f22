import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const src = new URL('../../src/', import.meta.url);
const documented = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');

/** Codes as they are written where errors are made: `refused('CODE'`, `code: 'CODE'`, `Error('CODE'`. */
const WRITTEN = /(?:refused\(|code: |requestError\(|PublicError\()\s*'([A-Z][A-Z_]+)'/g;
/** Nobody is answered them: between the steps of a transfer, and on the command line. */
const INTERNAL = ['STEP_NOT_DUE', 'INVALID_USER', 'INVALID_PLAN'];

it('documents every error code that the code can answer', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/^(sandbox|demo)\/|generated\//.test(file),
  );
  const codes = files.flatMap((file) =>
    [...readFileSync(new URL(file, src), 'utf8').matchAll(WRITTEN)].map((match) => match[1]!),
  );
  expect(codes.length).toBeGreaterThan(40);
  expect(
    [...new Set(codes)].filter((code) => !documented.includes(`\`${code}\``) && !INTERNAL.includes(code)),
  ).toEqual([]);
});
