import { GraphQLBoolean, GraphQLID, GraphQLInt, type GraphQLLeafType, GraphQLString } from 'graphql';
import { inspect } from 'graphql/jsutils/inspect.js';

/** What JavaScript holds most values of a type as: these are written as they are. */
export type NativeKind = 'text' | 'integer' | 'boolean';

/** Undefined for types whose values each need `serialize`. */
export function nativeKind(type: GraphQLLeafType): NativeKind | undefined {
  if (type === GraphQLString || type === GraphQLID) return 'text';
  if (type === GraphQLInt) return 'integer';
  return type === GraphQLBoolean ? 'boolean' : undefined;
}

/**
 * Turns what a resolver gave into what the answer holds: `serialize`, which is not called for values that it would give back
 * as they are.
 *
 * @throws what `serialize` throws, or Error where it gives nothing
 */
export type Leaf = (value: unknown) => unknown;

export function leafOf(type: GraphQLLeafType): Leaf {
  const serialize: Leaf = (value) => serializeBy(type, value);
  switch (nativeKind(type)) {
    case 'text':
      return (value) => (typeof value === 'string' ? value : serialize(value));
    case 'integer':
      // True of 32-bit integers alone.
      return (value) => (typeof value === 'number' && (value | 0) === value ? value : serialize(value));
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : serialize(value));
    default:
      return serialize;
  }
}

function serializeBy(type: GraphQLLeafType, value: unknown): unknown {
  const serialized: unknown = type.serialize(value);
  if (serialized != null) return serialized;
  throw new Error(
    `Expected \`${type.name}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${serialized}`,
  );
}
