import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  responsePathAsArray,
} from 'graphql';
import { concreteType, foreignValue } from './concrete-type.js';
import { locatedAt } from './located.js';
import type { FieldPlan, Fields, LeafPlan, ObjectPlan, TypePlan } from './plan.js';
import { infoOf, itemPath, type Path, pathOf, type Running } from './running.js';

/** Executes all fields of an object, one by one. @throws the error that makes the object null */
export function executeFields(
  run: Running,
  { fields, prototype, size }: Omit<ObjectPlan, 'execute'>,
  source: unknown,
  path: Path | undefined,
): Fields | Promise<Fields> {
  run.size.mayGoOn();
  const results = Object.create(prototype) as Fields;
  let pending: Pending | undefined;
  try {
    for (const field of fields) {
      const result = executeField(run, field, source, path);
      results[field.key] = result;
      if (!isPromise(result)) continue;
      pending ??= [];
      pending.push([field.key, result]);
    }
    run.size.add(size);
    return pending ? settle(results, pending) : results;
  } catch (error) {
    return abandon(pending, error);
  }
}

/** Results that are on their way, by response key. */
type Pending = [key: string, result: Promise<unknown>][];

/** The results, once those that are pending have come. */
export function settle(results: Fields, pending: Pending): Promise<Fields> {
  return Promise.all(pending.map(([, result]) => result)).then((values) => {
    for (let i = 0; i < pending.length; i += 1) results[pending[i]![0]] = values[i];
    return results;
  });
}

/** Pending fields may reject, too: their rejections have to be handled. @throws the error, or rejects with it */
export function abandon(pending: Pending | undefined, error: unknown): Promise<never> {
  if (!pending) throw error;
  return settle({}, pending).finally(() => {
    throw error;
  }) as Promise<never>;
}

/** Executes one field. @throws the error that makes its object null */
export function executeField(
  run: Running,
  field: FieldPlan,
  source: unknown,
  parent: Path | undefined,
): unknown {
  const path = pathOf(field, parent);
  const { type } = field;
  if (!field.isProperty) run.size.mayGoOn();
  try {
    if (field.isProperty) return completeRead(run, field, source, path, propertyOf(source, field.name));
    const info = infoOf(run, field, path);
    const value = field.resolve(source, field.argumentsOf(run.variables), run.context, info);
    return completeLater(run, field, type, path, value);
  } catch (error) {
    return failAt(run, field, type, path, error);
  }
}

/**
 * The result of a field without a resolver and without arguments, as most are.
 *
 * @param read what the property of its name holds
 * @throws the error that makes it null
 */
export function completeRead(
  run: Running,
  field: FieldPlan,
  source: unknown,
  path: Path,
  read: unknown,
): unknown {
  const value = typeof read === 'function' ? callMethod(run, field, source, path) : read;
  return completeLater(run, field, field.type, path, value);
}

/** In the words of graphql-js, since engines name the expression that is no function. */
function callMethod(run: Running, field: FieldPlan, source: unknown, path: Path): unknown {
  run.size.mayGoOn();
  const info = infoOf(run, field, path);
  return (source as Methods)[info.fieldName]!({}, run.context, info);
}

type Methods = Record<string, (args: object, context: unknown, info: GraphQLResolveInfo) => unknown>;

/** The value, or its promise where it has to be waited for: whose rejection is the place's error. */
export function completeLater(
  run: Running,
  field: FieldPlan,
  type: TypePlan,
  path: Path,
  value: unknown,
): unknown {
  const completed = isPromise(value)
    ? value.then((resolved) => complete(run, field, type, path, resolved))
    : complete(run, field, type, path, value);
  return isPromise(completed) ? failLater(run, field, type, path, completed) : completed;
}

/** The promise, whose rejection becomes the error of its place. */
export function failLater(
  run: Running,
  field: FieldPlan,
  type: TypePlan,
  path: Path,
  completed: Promise<unknown>,
): Promise<unknown> {
  return completed.then(undefined, (error: unknown) => failAt(run, field, type, path, error));
}

/** @throws the error that makes the value null */
function complete(run: Running, field: FieldPlan, type: TypePlan, path: Path, value: unknown): unknown {
  if (type.kind === 'leaf') return completeLeaf(run, field, type, value);
  if (value == null) return completeNull(field, type);
  if (value instanceof Error) throw value;
  if (type.kind === 'list') return completeList(run, field, type.item, path, value);
  if (type.kind === 'object') return completeObject(run, field, type.type, path, value);
  return completeAbstract(run, field, type.type, path, value);
}

export function completeLeaf(run: Running, field: FieldPlan, type: LeafPlan, value: unknown): unknown {
  if (value == null) return completeNull(field, type);
  if (value instanceof Error) throw value;
  const serialized = type.serialize(value);
  run.size.addLeaf(serialized);
  return serialized;
}

function completeNull({ parent, name }: FieldPlan, { nonNull }: TypePlan): null {
  if (!nonNull) return null;
  throw new Error(`Cannot return null for non-nullable field ${parent.name}.${name}.`);
}

function completeList(run: Running, field: FieldPlan, item: TypePlan, path: Path, values: unknown): unknown {
  if (!isIterable(values)) {
    throw new GraphQLError(
      `Expected Iterable, but did not find one for field "${field.parent.name}.${field.name}".`,
    );
  }
  const results: unknown[] = [];
  let isPending = false;
  try {
    for (const value of values) {
      const result = completeItem(run, field, item, path, results.length, value);
      results.push(result);
      isPending ||= isPromise(result);
    }
    run.size.add(results.length);
  } catch (error) {
    // Pending items may reject, too: their rejections have to be handled.
    if (isPending) Promise.all(results).catch(() => undefined);
    throw error;
  }
  return isPending ? Promise.all(results) : results;
}

function completeItem(
  run: Running,
  field: FieldPlan,
  type: TypePlan,
  list: Path,
  index: number,
  value: unknown,
): unknown {
  const path = itemPath(list, index);
  try {
    return completeLater(run, field, type, path, value);
  } catch (error) {
    return failAt(run, field, type, path, error);
  }
}

function completeAbstract(
  run: Running,
  field: FieldPlan,
  abstract: GraphQLAbstractType,
  path: Path,
  value: unknown,
): unknown {
  const info = infoOf(run, field, path);
  const resolveType = abstract.resolveType ?? defaultTypeResolver;
  const named = resolveType(value, run.context, info, abstract);
  const completeNamed = (name: unknown): unknown =>
    completeObject(run, field, concreteType(abstract, name, value, info), path, value);
  return isPromise(named) ? named.then(completeNamed) : completeNamed(named);
}

function completeObject(
  run: Running,
  field: FieldPlan,
  type: GraphQLObjectType,
  path: Path,
  value: unknown,
): unknown {
  const plan = field.below(type, run.variables);
  if (!type.isTypeOf) return plan.execute(run, value, path);
  const info = infoOf(run, field, path);
  const completeOwn = (isOwn: boolean): unknown => {
    if (!isOwn) throw foreignValue(type, value, info);
    return plan.execute(run, value, path);
  };
  const isOwn = type.isTypeOf(value, run.context, info);
  return isPromise(isOwn) ? isOwn.then(completeOwn) : completeOwn(isOwn);
}

/** Adds an error to the answer, and its size. @throws PublicError RESPONSE_TOO_LARGE */
export function addError(run: Running, error: GraphQLError, path: Path | undefined): void {
  if (run.errors.add(error, path)) run.size.addError(error);
}

/** A place that allows no null passes its error on to the one above. */
export function failAt(
  run: Running,
  field: FieldPlan,
  { nonNull }: TypePlan,
  path: Path,
  raw: unknown,
): null {
  if (run.size.isExcess(raw)) throw raw;
  const error = locatedAt(raw, field.nodes, responsePathAsArray(path));
  if (nonNull) throw error;
  addError(run, error, path);
  return null;
}

function propertyOf(source: unknown, name: string): unknown {
  if ((typeof source !== 'object' || source === null) && typeof source !== 'function') return undefined;
  return (source as Fields)[name];
}

/** As graphql-js sees it: whatever has a `then`, a function too. */
export const isPromise = <Value>(value: Value | Promise<Value>): value is Promise<Value> =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as Partial<Promise<Value>>).then === 'function';

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function' && typeof value === 'object';
