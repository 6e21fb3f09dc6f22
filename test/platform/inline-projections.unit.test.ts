import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { commerceProjections } from '../../src/domains/commerce/inline-projections.js';
import { feedProjections } from '../../src/domains/feed/inline-projections.js';

const read = (file: string) =>
  readFileSync(new URL(`../../prisma/functions/${file}`, import.meta.url), 'utf8');
/** The function that reads the arguments where it judges many commands in one call. */
const together: Readonly<Record<string, string>> = { place_order: 'place_orders' };
const declared: Record<string, z.ZodObject> = { ...feedProjections.schemas, ...commerceProjections.schemas };

it('the registered SQL functions are exactly the inline projections that the domains declare', () => {
  const registered = [...read('run_guard.sql').matchAll(/WHEN '(\w+)' THEN RETURN guard_(\w+)\(/g)];
  expect(registered.map(([, name]) => name).sort()).toEqual(Object.keys(declared).sort());
  for (const [, name, sqlFunction] of registered) expect(sqlFunction).toBe(name);
});

it.each(Object.entries(declared))(
  '%s reads exactly the arguments that it is declared with',
  (name, schema) => {
    const body = read(`guard_${together[name] ?? name}.sql`).replaceAll(/--.*$/gm, '');
    const used = new Set([...body.matchAll(/\bargs (?:->>?|\?) '(\w+)'/g)].map(([, key]) => key));
    expect([...used].sort()).toEqual(Object.keys(schema.shape).sort());
  },
);
