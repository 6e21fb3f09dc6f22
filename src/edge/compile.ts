import { setFlagsFromString } from 'node:v8';
import { isIterableObject, isPromise, MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionResult,
  execute,
  type GraphQLEnumType,
  GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Variables } from './cost.js';

/** The variables of one request, before and after graphql-js coerced them. */
export interface Values {
  readonly raw: Variables;
  readonly coerced: Variables;
}

/** Runs a query, a mutation, or the answer to one event of a subscription (`root`). */
export type Run = (
  root: unknown,
  context: unknown,
  values: Values,
) => Promise<ExecutionResult> | ExecutionResult;

// V8 keeps every source that it ever compiled at run time, 0.4 MB for an operation of 200 fields, long after nobody
// holds the function: clients would fill the heap by documents that differ in a literal.
setFlagsFromString('--no-compilation-cache');

/** A value that is as it should be already. */
const coerced = new GraphQLScalarType({ name: 'Coerced_' });

/**
 * Makes the compiler of operations. What cannot be compiled is interpreted.
 *
 * Variables are coerced once, by graphql-js, before a compiled query runs. The compiler's own coercion knows no defaults
 * of input fields and words its errors for nobody, so compiled operations declare their variables as coerced.
 *
 * Strings, numbers, booleans, ids and enums whose values are their names are given out as resolvers give them: of a page
 * of many small fields, checking each would be a tenth.
 */
export function createCompiler(
  schema: GraphQLSchema,
): (document: DocumentNode, node: OperationDefinitionNode) => Run {
  const named = namingEnumValues(schema);
  const withCoerced: GraphQLSchema = Object.create(named, {
    getType: { value: (name: string) => (name === coerced.name ? coerced : named.getType(name)) },
  });

  return (document, node) => {
    const alone = onlyOperation(document, node);
    const compiled = compileQuery(withCoerced, declareCoerced(alone), node.name?.value ?? '', {
      disablingCapturingStackErrors: true,
      disableLeafSerialization: true,
    });
    if (!isCompiledQuery(compiled)) return interpret(schema, document, node);
    return (root, context, values) => compiled.query(root, context, values.coerced);
  };
}

/** What the compiler gives out as it is, enum values too, has to be their names already. */
const namingEnumValues = (schema: GraphQLSchema): GraphQLSchema =>
  mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (field) => {
      const type = getNamedType(field.type);
      if (!isEnumType(type) || type.getValues().every(({ name, value }) => name === value)) return undefined;
      const { resolve = defaultFieldResolver } = field;
      return { ...field, resolve: (...asked) => namesOf(type, resolve(...asked)) };
    },
  });

/** What has no name is an error in its place. */
function namesOf(type: GraphQLEnumType, value: unknown): unknown {
  if (isPromise(value)) return value.then((resolved) => namesOf(type, resolved));
  if (value == null || value instanceof Error) return value;
  if (isIterableObject(value)) return Array.from(value, (item) => namesOf(type, item));
  try {
    return type.serialize(value);
  } catch (error) {
    return error;
  }
}

/** Runs an operation as graphql-js does: slower than compiled code, and ready at once. */
export function interpret(schema: GraphQLSchema, document: DocumentNode, node: OperationDefinitionNode): Run {
  const alone = onlyOperation(document, node);
  return (rootValue, contextValue, values) =>
    execute({ schema, document: alone, rootValue, contextValue, variableValues: values.raw });
}

const onlyOperation = (document: DocumentNode, node: OperationDefinitionNode): DocumentNode => ({
  ...document,
  definitions: document.definitions.filter((part) => part === node || part.kind === Kind.FRAGMENT_DEFINITION),
});

function declareCoerced(document: DocumentNode): DocumentNode {
  const definitions = document.definitions.map((part) => {
    if (part.kind !== Kind.OPERATION_DEFINITION) return part;
    const variableDefinitions = part.variableDefinitions?.map(({ kind, variable }) => ({
      kind,
      variable,
      type: { kind: Kind.NAMED_TYPE as const, name: { kind: Kind.NAME as const, value: coerced.name } },
    }));
    return { ...part, ...(variableDefinitions && { variableDefinitions }) };
  });
  return { ...document, definitions };
}
