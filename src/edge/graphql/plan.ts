import {
  defaultFieldResolver,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { collectFields, conditionsOf, type Mentions, variantOf } from './collect-fields.js';
import type { Variables } from './cost.js';
import { type ArgumentsOf, argumentsOf } from './field-arguments.js';
import { executeObject } from './generate-object.js';
import type { KeptPlans, Variant, Variants } from './kept-plans.js';
import { type Leaf, leafOf, type NativeKind, nativeKind } from './leaf.js';
import type { Path, Running } from './running.js';
import type { Fragments } from './shape.js';

/** How the values of a type become what an answer holds. */
export type TypePlan =
  | LeafPlan
  | (Nullable & { readonly kind: 'list'; readonly item: TypePlan })
  | (Nullable & { readonly kind: 'object'; readonly type: GraphQLObjectType })
  | (Nullable & { readonly kind: 'abstract'; readonly type: GraphQLAbstractType });

interface Nullable {
  readonly nonNull: boolean;
}

export interface LeafPlan extends Nullable {
  readonly kind: 'leaf';
  readonly serialize: Leaf;
  /** See `nativeKind`. */
  readonly native: NativeKind | undefined;
}

/** One response key of an object. */
export interface FieldPlan {
  readonly key: string;
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly nodes: Mentions;
  readonly parent: GraphQLObjectType;
  /** The value is the parent's property of the field's name: no resolver, no arguments. */
  readonly isProperty: boolean;
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  readonly argumentsOf: ArgumentsOf;
  readonly type: TypePlan;
  /**
   * What is selected of an object of this type below.
   *
   * @throws GraphQLError where a condition has no value
   */
  readonly below: (type: GraphQLObjectType, variables: Variables) => ObjectPlan;
}

/** What is selected of an object, its fragments in place. */
export interface ObjectPlan {
  readonly type: GraphQLObjectType;
  readonly fields: readonly FieldPlan[];
  /** Bytes that keys and punctuation take in JSON at least. */
  readonly size: number;
  /** Of the objects that the answer holds for it. */
  readonly prototype: object | null;
  readonly execute: ExecuteObject;
}

/** What one object of the answer holds, by response key; promises stand where values are on their way. */
export type Fields = Record<string, unknown>;

/** Executes all fields of an object at `path`. @throws the error that makes the object null */
export type ExecuteObject = (
  run: Running,
  source: unknown,
  path: Path | undefined,
) => Fields | Promise<Fields>;

/**
 * Plans an operation of a document that validated: all of its execution that does not depend on what resolvers return. There
 * is one plan for each combination of values in `@skip` and `@include`, kept among `plans`; what is selected below a field is planned when the
 * first object of a type is there.
 *
 * @returns the root's plan for variables that graphql-js coerced. It throws GraphQLError where a condition has no value.
 */
export function planOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  plans: KeptPlans,
): (variables: Variables) => ObjectPlan {
  const conditions = conditionsOf(operation, fragments);
  const variants: Variants = new Map();

  return (variables) => {
    const key = variantOf(conditions, variables);
    const known = plans.find(variants, key)?.root;
    if (known) return known;
    const type = schema.getRootType(operation.operation);
    if (!type) throw new Error(`There is no root type for ${operation.operation}`);
    const variant = plans.add(variants, key);
    variant.root = planObject(variant, type, [operation.selectionSet], variables);
    return variant.root;
  };

  function planObject(
    variant: Variant,
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    variables: Variables,
  ): ObjectPlan {
    const collected = collectFields({ schema, fragments }, type, sets, variables);
    const fields = [...collected].flatMap(([key, nodes]) => planField(variant, type, key, nodes) ?? []);
    plans.grow(variant, fields.length);
    const size = fields.reduce((total, { key }) => total + key.length + 4, 2);
    // Only an object without a prototype holds a key named `__proto__` like any other.
    const prototype = fields.some(({ key }) => key === '__proto__') ? null : Object.prototype;
    const plan = { type, fields, size, prototype };
    return { ...plan, execute: executeObject(plan, plans, variant) };
  }

  function planField(
    variant: Variant,
    parent: GraphQLObjectType,
    key: string,
    nodes: Mentions,
  ): FieldPlan | undefined {
    const field = fieldOf(schema, parent, nodes[0].name.value);
    if (!field) return undefined;
    const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const known = new Map<GraphQLObjectType, ObjectPlan>();
    let last: ObjectPlan | undefined;
    const below = (type: GraphQLObjectType, variables: Variables): ObjectPlan => {
      if (last?.type === type) return last;
      last = known.get(type) ?? planObject(variant, type, selectionSets, variables);
      known.set(type, last);
      return last;
    };
    return {
      key,
      name: field.name,
      field,
      nodes,
      parent,
      isProperty: !field.resolve && field.args.length === 0,
      resolve: field.resolve ?? defaultFieldResolver,
      argumentsOf: argumentsOf(field, nodes[0]),
      type: planType(field.type),
      below,
    };
  }
}

function fieldOf(
  schema: GraphQLSchema,
  parent: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return parent.getFields()[name];
}

/** All of one shape, for the engine's sake: what is not of a kind is undefined. */
function planType(declared: GraphQLOutputType): TypePlan {
  const nonNull = isNonNullType(declared);
  const of = nonNull ? declared.ofType : declared;
  const absent = { item: undefined, type: undefined, serialize: undefined, native: undefined };
  if (isListType(of)) return { ...absent, kind: 'list', nonNull, item: planType(of.ofType) };
  if (isObjectType(of)) return { ...absent, kind: 'object', nonNull, type: of };
  if (isAbstractType(of)) return { ...absent, kind: 'abstract', nonNull, type: of };
  return { ...absent, kind: 'leaf', nonNull, serialize: leafOf(of), native: nativeKind(of) };
}
