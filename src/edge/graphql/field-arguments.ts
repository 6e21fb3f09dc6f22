import {
  type FieldNode,
  type GraphQLField,
  getArgumentValues,
  isNonNullType,
  Kind,
  type ValueNode,
} from 'graphql';
import type { Variables } from './cost.js';

/** What a resolver gets as its arguments: an object of its own each time. @throws GraphQLError as graphql-js does */
export type ArgumentsOf = (variables: Variables) => Record<string, unknown>;

/** The value that a mention of a field gives one of its arguments. */
export const argument = (node: FieldNode, name: string): ValueNode | undefined =>
  node.arguments?.find((one) => one.name.value === name)?.value;

const none: ArgumentsOf = () => ({});

/**
 * How a mention of a field gets its arguments: the first time by graphql-js, and from then on as what was seen there: values
 * that no variable changes, and variables as they are, since they were coerced before. It is graphql-js each time where a
 * variable stands within a value, where a resolver could change a value for the next one, and where a variable is absent.
 */
export function argumentsOf(field: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentsOf {
  if (field.args.length === 0) return none;
  const read: ArgumentsOf = (variables) => getArgumentValues(field, node, variables);
  let known: readonly KnownArgument[] | undefined;
  let isKnowable = true;
  return (variables) => {
    const values = known && valuesOf(known, variables);
    if (values) return values;
    const seen = read(variables);
    if (isKnowable) known ??= knownArguments(field, node, seen);
    isKnowable = known !== undefined;
    return seen;
  };
}

/** An argument whose value is that of a variable, or the same each time. */
interface KnownArgument {
  readonly name: string;
  readonly variable: string | undefined;
  readonly nonNull: boolean;
  readonly value: unknown;
}

function knownArguments(
  { args }: GraphQLField<unknown, unknown>,
  node: FieldNode,
  seen: Record<string, unknown>,
): KnownArgument[] | undefined {
  const known: KnownArgument[] = [];
  for (const { name, type } of args) {
    if (name === '__proto__') return undefined;
    const given = argument(node, name);
    const nonNull = isNonNullType(type);
    if (given?.kind === Kind.VARIABLE)
      known.push({ name, variable: given.name.value, nonNull, value: undefined });
    else if ((given && isOrHoldsVariable(given)) || !isPlain(seen[name])) return undefined;
    else if (Object.hasOwn(seen, name)) known.push({ name, variable: undefined, nonNull, value: seen[name] });
  }
  return known;
}

/** Undefined where a variable has no value that the argument may have. */
function valuesOf(
  known: readonly KnownArgument[],
  variables: Variables,
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  for (const { name, variable, nonNull, value } of known) {
    if (variable === undefined) {
      values[name] = value;
      continue;
    }
    const given = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
    if (given === undefined || (given === null && nonNull)) return undefined;
    values[name] = given;
  }
  return values;
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

function isOrHoldsVariable(value: ValueNode): boolean {
  if (value.kind === Kind.VARIABLE) return true;
  if (value.kind === Kind.LIST) return value.values.some(isOrHoldsVariable);
  return value.kind === Kind.OBJECT && value.fields.some((field) => isOrHoldsVariable(field.value));
}
