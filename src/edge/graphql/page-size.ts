import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  GraphQLID,
  getNamedType,
  getNullableType,
  isListType,
  Kind,
  type ValueNode,
} from 'graphql';
import { Span } from './span-size.js';

/** What is asked of a page whose size nobody says. */
const DEFAULT_PAGE = 20;
const PAGE_ARGUMENTS = ['first', 'last'];

/** The size itself, the variables that may hold it (the largest counts), or the time whose steps are listed. */
export type PageSize = number | readonly string[] | Span;

/** The size that `first` or `last` give a field; undefined where it has no such argument. */
export function pageOf(field: GraphQLField<unknown, unknown>, node: FieldNode): PageSize | undefined {
  const declared = field.args.filter(({ name }) => PAGE_ARGUMENTS.includes(name));
  if (declared.length === 0) return undefined;
  const values = (node.arguments ?? [])
    .filter(({ name }) => PAGE_ARGUMENTS.includes(name.value))
    .map(({ value }) => value);
  const literals = values.flatMap((value) => (value.kind === Kind.INT ? [Number(value.value)] : []));
  if (literals.length > 0) return Math.max(1, ...literals);
  const names = values.flatMap((value) => (value.kind === Kind.VARIABLE ? [value.name.value] : []));
  if (names.length > 0) return names;
  const defaults = declared.flatMap(({ defaultValue }) =>
    typeof defaultValue === 'number' ? [defaultValue] : [],
  );
  return defaults.length > 0 ? Math.max(1, ...defaults) : DEFAULT_PAGE;
}

/** The number of ids that a field is given; undefined where it takes no list of ids, or more than one. */
export function idsOf(field: GraphQLField<unknown, unknown>, node: FieldNode): PageSize | undefined {
  const declared = field.args.filter(isListOfIds);
  const [list] = declared;
  if (!list || declared.length > 1) return undefined;
  const given = node.arguments?.find(({ name }) => name.value === list.name)?.value;
  return given
    ? lengthOf(given)
    : Math.max(1, Array.isArray(list.defaultValue) ? list.defaultValue.length : 0);
}

/** The size in one request. Of coerced variables the largest counts: a number, or as many as a list has items. */
export function sizeIn(size: PageSize, variables: Readonly<Record<string, unknown>>): number {
  if (typeof size === 'number') return size;
  if (size instanceof Span) return size.sizeIn(variables);
  const known = size.flatMap((name) => {
    const value = variables[name];
    if (typeof value === 'number') return [value];
    return Array.isArray(value) ? [value.length] : [];
  });
  return known.length > 0 ? Math.max(1, ...known) : DEFAULT_PAGE;
}

const isListOfIds = ({ type }: GraphQLArgument): boolean =>
  isListType(getNullableType(type)) && getNamedType(type) === GraphQLID;

/** A value that is not a list stands for a list of one. */
function lengthOf(value: ValueNode): PageSize {
  if (value.kind === Kind.VARIABLE) return [value.name.value];
  return value.kind === Kind.LIST ? Math.max(1, value.values.length) : 1;
}
