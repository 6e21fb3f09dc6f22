import { COUNT_OF_AN_INTEGER, LONG_TEXT } from './answer-size.js';
import {
  abandon,
  completeLater,
  completeLeaf,
  completeRead,
  executeFields,
  failAt,
  failLater,
  isPromise,
  settle,
} from './execute-fields.js';
import type { KeptPlans, Variant } from './kept-plans.js';
import type { NativeKind } from './leaf.js';
import type { ExecuteObject, FieldPlan, ObjectPlan, TypePlan } from './plan.js';
import { infoOf, itemPath, pathOf } from './running.js';

/** What a name of GraphQL is: nothing else ever stands in code. */
const NAME = /^[_A-Za-z]\w*$/;

/** What generated code calls. */
const calls = {
  abandon,
  completeLater,
  completeLeaf,
  completeRead,
  failAt,
  failLater,
  infoOf,
  isPromise,
  itemPath,
  pathOf,
  settle,
};

/**
 * Executes objects of a selection field by field, and by generated code once so many were executed.
 *
 * @param plans decides when code may be generated
 * @param variant that the selection belongs to
 */
export function executeObject(
  plan: Omit<ObjectPlan, 'execute'>,
  plans: KeptPlans,
  variant: Variant,
): ExecuteObject {
  const canGenerate = plan.fields.every(({ key, name }) => NAME.test(key) && NAME.test(name));
  let objects = 0;
  let generated: ExecuteObject | undefined;
  return (run, source, path) => {
    objects += 1;
    if (!generated && canGenerate && objects > plans.generateAfter && plans.mayGenerate(variant))
      generated = plans.generate(() => generateObject(plan));
    if (generated && typeof source === 'object' && source !== null) return generated(run, source, path);
    return executeFields(run, plan, source, path);
  };
}

/**
 * Generates code that executes all fields of an object (no other value) as `executeFields` does. Code that names each
 * property and key, and has calls of its own, is several times as fast: the engine learns the types of each property.
 * Values as resolvers usually give them (null, text, whole numbers, objects, arrays of them) are completed where they
 * are read; all others by the general functions.
 *
 * @throws EvalError where the process may not generate code
 */
function generateObject({ fields, size }: Pick<ObjectPlan, 'fields' | 'size'>): ExecuteObject {
  // Only as a computed key it is a key like any other; and objects with computed keys are made far more slowly.
  const members = fields.map(({ key }, i) =>
    key === '__proto__' ? `['__proto__']: v${i}` : `${key}: v${i}`,
  );
  const body = `
    const { ${Object.keys(calls).join(', ')} } = calls;
    ${fields.map((_, i) => `const f${i} = fields[${i}], t${i} = f${i}.type;`).join('\n')}
    ${fields.map(({ type }, i) => (type.kind === 'list' ? listCode(type.item, i) : '')).join('\n')}
    return (run, source, path) => {
      run.size.mayGoOn();
      let pending, counted = 0;
      try {
        ${fields.map((field, i) => (field.isProperty ? propertyCode(field, i) : resolverCode(field, i))).join('\n')}
        run.size.add(${size} + counted);
        const results = { ${members.join(', ')} };
        return pending ? settle(results, pending) : results;
      } catch (error) {
        return abandon(pending, error);
      }
    };`;
  const generate = new Function('calls', 'fields', body) as (
    known: typeof calls,
    fields: readonly FieldPlan[],
  ) => ExecuteObject;
  return generate(calls, fields);
}

/** Leaves the result of a property in `v`. */
function propertyCode({ key, name, type }: FieldPlan, i: number): string {
  const [v, f, at, keep] = [`v${i}`, `f${i}`, `at${i}`, keepCode(key, i)];
  const names = {
    value: v,
    field: f,
    type: `t${i}`,
    at,
    list: `list${i}`,
    hold: `${at} = pathOf(${f}, path);`,
  };
  return `let ${v}, ${at};
    try {
      ${v} = source.${name};
      ${usualCode(type, names, keep)} else {
        ${names.hold}
        ${v} = completeRead(run, ${f}, source, ${at}, ${v});
        if (isPromise(${v})) ${keep}
      }
    } catch (error) { ${v} = failAt(run, ${f}, t${i}, ${at} ?? pathOf(${f}, path), error); }`;
}

/** Leaves the result of a resolver in `v`. */
function resolverCode({ key, type }: FieldPlan, i: number): string {
  const [v, f, at, keep] = [`v${i}`, `f${i}`, `at${i}`, keepCode(key, i)];
  const names = { value: v, field: f, type: `t${i}`, at, list: `list${i}`, hold: '' };
  return `run.size.mayGoOn();
    const ${at} = pathOf(${f}, path);
    let ${v};
    try {
      ${v} = ${f}.resolve(source, ${f}.argumentsOf(run.variables), run.context, infoOf(run, ${f}, ${at}));
      ${usualCode(type, names, keep)} else {
        ${v} = completeLater(run, ${f}, t${i}, ${at}, ${v});
        if (isPromise(${v})) ${keep}
      }
    } catch (error) { ${v} = failAt(run, ${f}, t${i}, ${at}, error); }`;
}

const keepCode = (key: string, i: number): string => `(pending ??= []).push(['${key}', v${i}]);`;

/** A function that completes an array. */
function listCode(type: TypePlan, i: number): string {
  const f = `f${i}`;
  const hold = 'at = itemPath(path, results.length);';
  const names = { value: 'v', field: f, type: `item${i}`, at: 'at', list: '', hold };
  return `const item${i} = t${i}.item;
    const list${i} = (run, path, values) => {
      const results = [];
      let counted = 0, isPending = false;
      try {
        for (const value of values) {
          let v = value, at;
          try {
            ${usualCode(type, names, 'isPending = true;')} else {
              ${hold}
              v = completeLater(run, ${f}, item${i}, at, v);
              isPending ||= isPromise(v);
            }
          } catch (error) { v = failAt(run, ${f}, item${i}, at ?? itemPath(path, results.length), error); }
          results.push(v);
        }
        run.size.add(results.length + counted);
      } catch (error) {
        if (isPending) Promise.all(results).catch(() => undefined);
        throw error;
      }
      return isPending ? Promise.all(results) : results;
    };`;
}

/** The names that the code for one value uses. */
interface ValueNames {
  readonly value: string;
  readonly field: string;
  readonly type: string;
  readonly at: string;
  /** The function that completes its arrays; empty where there is none. */
  readonly list: string;
  /** Makes `at`. */
  readonly hold: string;
}

/** Completes a value that is as usual. An `else` has to follow. */
function usualCode(type: TypePlan, names: ValueNames, keep: string): string {
  const { value: v } = names;
  const unlessNull = type.nonNull ? '' : `if (${v} === null || ${v} === undefined) ${v} = null; else `;
  return unlessNull + ofKind(type, names, keep);
}

function ofKind(type: TypePlan, { value: v, field, type: t, at, list, hold }: ValueNames, keep: string) {
  const unlessLater = `if (${v} instanceof Promise) { ${v} = failLater(run, ${field}, ${t}, ${at}, ${v}); ${keep} }`;
  if (type.kind === 'leaf') {
    if (type.native) return nativeCode(type.native, v);
    return `if (${isPresent(v)}) ${v} = completeLeaf(run, ${field}, ${t}, ${v});`;
  }
  if (type.kind === 'object' && !type.type.isTypeOf)
    return `if (${isObject(v)}) {
      ${hold}
      ${v} = ${field}.below(${t}.type, run.variables).execute(run, ${v}, ${at});
      ${unlessLater}
    }`;
  if (type.kind === 'list' && list)
    return `if (Array.isArray(${v}) && typeof ${v}.then !== 'function') {
      ${hold}
      ${v} = ${list}(run, ${at}, ${v});
      ${unlessLater}
    }`;
  return 'if (false) {}';
}

function nativeCode(kind: NativeKind, v: string): string {
  switch (kind) {
    case 'text':
      return `if (typeof ${v} === 'string' && ${v}.length < ${LONG_TEXT}) counted += ${v}.length;`;
    case 'integer':
      return `if (typeof ${v} === 'number' && (${v} | 0) === ${v}) counted += ${COUNT_OF_AN_INTEGER};`;
    case 'boolean':
      return `if (typeof ${v} === 'boolean') {}`;
  }
}

/** Neither a function nor a promise of something. */
const isPresent = (v: string): string =>
  `typeof ${v} !== 'function' && (typeof ${v} !== 'object' || ${v} === null || typeof ${v}.then !== 'function')`;

const isObject = (v: string): string =>
  `typeof ${v} === 'object' && ${v} !== null && typeof ${v}.then !== 'function' && !(${v} instanceof Error)`;
