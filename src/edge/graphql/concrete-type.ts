import {
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
} from 'graphql';
import { inspect } from 'graphql/jsutils/inspect.js';

/**
 * The object type that an abstract type's resolver names.
 *
 * @throws GraphQLError as graphql-js words it, where it names none that can stand there
 */
export function concreteType(
  abstract: GraphQLAbstractType,
  named: unknown,
  value: unknown,
  { schema, fieldNodes, parentType, fieldName }: GraphQLResolveInfo,
): GraphQLObjectType {
  const fault = (message: string) => new GraphQLError(message, { nodes: fieldNodes });
  const subject = `Abstract type "${abstract.name}"`;
  const mustResolve = `${subject} must resolve to an Object type at runtime for field "${parentType.name}.${fieldName}"`;
  if (named == null) {
    throw fault(
      `${mustResolve}. Either the "${abstract.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
    );
  }
  if (isObjectType(named)) {
    throw new GraphQLError(
      'Support for returning GraphQLObjectType from resolveType was removed in graphql-js@16.0.0 please return type name instead.',
    );
  }
  if (typeof named !== 'string')
    throw new GraphQLError(`${mustResolve} with value ${inspect(value)}, received "${inspect(named)}".`);
  const type = schema.getType(named);
  if (!type)
    throw fault(`${subject} was resolved to a type "${named}" that does not exist inside the schema.`);
  if (!isObjectType(type)) throw fault(`${subject} was resolved to a non-object type "${named}".`);
  if (!schema.isSubType(abstract, type))
    throw fault(`Runtime Object type "${type.name}" is not a possible type for "${abstract.name}".`);
  return type;
}

/** The error of a value that its type's `isTypeOf` refuses. */
export const foreignValue = (
  type: GraphQLObjectType,
  value: unknown,
  { fieldNodes }: GraphQLResolveInfo,
): GraphQLError =>
  new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`, {
    nodes: fieldNodes,
  });
