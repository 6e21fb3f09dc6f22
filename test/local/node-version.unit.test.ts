import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAllowed } from '../../scripts/node-range.mjs';
import { NODE_VERSIONS, unsupported } from '../../src/node-version.js';

const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8');

it('an older Node ends with one line that says which one is needed, and how it comes with the package', () => {
  for (const version of ['18.20.0', '20.19.0', '20.20.2', '22.14.0', '23.11.0']) {
    expect(unsupported(version)).toMatch(/^tidings needs Node .+, and this is .+ `npx tidings` .+$/);
    expect(unsupported(version)).not.toContain('\n');
  }
  for (const version of ['22.15.0', '22.20.1', '24.0.0', '24.21.0', '26.1.0'])
    expect(unsupported(version)).toBeNull();
});

it('engines says the same, and main asks before it imports anything else', async () => {
  expect(JSON.parse(await read('package.json')).engines).toEqual({ node: NODE_VERSIONS });
  const imports = (await read('src/main.ts')).split('\n').filter((line) => line.startsWith('import'));
  expect(imports[0]).toBe("import './node-version.js';");
});

it('a Node is installed exactly where main would refuse the machine’s own', () => {
  const version = fc.tuple(fc.integer({ min: 18, max: 30 }), fc.nat(30), fc.nat(5));
  fc.assert(
    fc.property(version, (parts) => {
      const text = parts.join('.');
      expect(isAllowed(text, NODE_VERSIONS)).toBe(unsupported(text) === null);
    }),
  );
});
