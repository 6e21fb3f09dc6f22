import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildSchema, getOperationAST, parse } from 'graphql';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KeptPlans } from '../../../src/edge/graphql/kept-plans.js';
import { createRunner } from '../../../src/edge/graphql/runner.js';
import { fragmentsOf } from '../../../src/edge/graphql/shape.js';

const names = Array.from({ length: 40 }, (_, n) => `f${n}`);
const schema = buildSchema(
  `type Thing { ${names.map((name) => `${name}: String`).join(' ')} things: [Thing] } type Query { things: [Thing] }`,
);
const values = Object.fromEntries(names.map((name) => [name, name]));
const root = { things: Array.from({ length: 5 }, () => ({ ...values, things: [values] })) };

/** Six conditions: 64 variants. */
const conditions = names.slice(0, 6);
const documentOf = (alias: string) =>
  `query (${conditions.map((name) => `$${name}: Boolean!`).join(' ')}) { things { ${alias}: f39 ${names
    .map((name) => (conditions.includes(name) ? `${name} @skip(if: $${name})` : name))
    .join(' ')} things { ${names.join(' ')} } } }`;
const variant = (number: number) =>
  Object.fromEntries(conditions.map((name, bit) => [name, ((number >> bit) & 1) === 1]));

function runnerOf(source: string, plans: KeptPlans) {
  const document = parse(source);
  const run = createRunner(schema, getOperationAST(document)!, fragmentsOf(document), 1_000_000, plans);
  return (variables = {}) => run(root, undefined, { raw: variables, coerced: variables });
}

/** How often code was generated. */
function countGenerated() {
  let count = 0;
  const Original = globalThis.Function;
  vi.stubGlobal(
    'Function',
    new Proxy(Original, {
      construct(target, args) {
        count += 1;
        return Reflect.construct(target, args) as object;
      },
    }),
  );
  return () => count;
}
afterEach(() => vi.unstubAllGlobals());

describe('the plans that are kept', () => {
  it('are bounded over all documents and variants, and the answers stay what they are', async () => {
    const plans = new KeptPlans({ generateAfter: 0 });
    const asked = Array.from({ length: 8 }, (_, n) => documentOf(`a${n}`));
    const fresh = await runnerOf(asked[7]!, new KeptPlans())(variant(63));
    const runs = asked.map((source) => runnerOf(source, plans));
    for (let number = 0; number < 64; number += 1) for (const run of runs) await run(variant(number));
    expect(plans.keptFields).toBeGreaterThan(10_000);
    expect(plans.keptFields).toBeLessThanOrEqual(15_000);
    expect(await runs[7]!(variant(63))).toEqual(fresh);
  });

  it('alone have code generated: one whose turn comes too seldom to be kept has none', async () => {
    const generated = countGenerated();
    const plans = new KeptPlans({ generateAfter: 0 });
    const runs = Array.from({ length: 8 }, (_, n) => runnerOf(documentOf(`a${n}`), plans));
    for (let round = 0; round < 2; round += 1)
      for (let number = 0; number < 64; number += 1) for (const run of runs) await run(variant(number));
    expect(generated()).toBe(0);
    await runs[7]!(variant(63));
    // The root, its things, and theirs.
    expect(generated()).toBe(3);
    for (let time = 0; time < 10; time += 1) await runs[7]!(variant(63));
    expect(generated()).toBe(3);
  });
});

describe('where code may not be generated', () => {
  it('every object is read all the same, and that is logged once', async () => {
    const refused = vi.fn();
    const plans = new KeptPlans({ generateAfter: 0, onRefused: refused });
    const expected = await runnerOf(documentOf('a'), new KeptPlans())(variant(0));
    vi.stubGlobal('Function', function refuse() {
      throw new EvalError('Code generation from strings disallowed for this context');
    });
    const run = runnerOf(documentOf('a'), plans);
    for (let time = 0; time < 3; time += 1) expect(await run(variant(0))).toEqual(expected);
    expect(refused).toHaveBeenCalledOnce();
  });

  it('Node says so by an EvalError', async () => {
    const node = promisify(execFile)(process.execPath, [
      '--disallow-code-generation-from-strings',
      '-e',
      'try { new Function("") } catch (error) { console.log(error instanceof EvalError) }',
    ]);
    expect((await node).stdout.trim()).toBe('true');
  });
});
