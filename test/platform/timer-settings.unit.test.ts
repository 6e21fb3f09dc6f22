import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';

const needed = {
  DATABASE_URL: 'postgres://localhost/none',
  REDIS_URL: 'redis://localhost',
  AUTH_SECRET: 'a secret that nothing here checks',
};
const guide = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const milliseconds = [...new Set([...guide.matchAll(/^\| `([A-Z][A-Z_]*_MS)`/gm)].map(([, name]) => name!))];

it('there are settings in milliseconds', () => {
  expect(milliseconds).toContain('SHUTDOWN_GRACE_MS');
  expect(milliseconds.length).toBeGreaterThan(5);
});

it.each(milliseconds)('%s refuses what no timer can wait for', (name) => {
  // Node takes a longer wait for 1 ms.
  expect(() => readConfig({ ...needed, [name]: String(2 ** 31) })).toThrow(name);
});
