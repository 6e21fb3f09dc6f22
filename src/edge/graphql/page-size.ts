import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLID,
  getNamedType,
  getNullableType,
  isListType,
  Kind,
  type ValueNode,
} from 'graphql';
import { argument } from './field-arguments.js';

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
  const value = argument(node, list.name);
  return value
    ? lengthOf(value)
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

/** The time that a field asks about: how long the lists directly inside may be follows from it and their step. */
export class Span {
  constructor(
    private readonly from: ValueNode | undefined,
    private readonly to: ValueNode | undefined,
    private readonly step?: ValueNode | undefined,
  ) {}

  /** The same time in the steps of a list. */
  in(list: FieldNode): Span {
    return new Span(this.from, this.to, argument(list, 'stepSeconds'));
  }

  /** How many steps it has in one request; the maximum where it is not known. */
  sizeIn(variables: Readonly<Record<string, unknown>>): number {
    // It consists of the minutes that begin in it.
    const [from, to] = [this.from, this.to].map((node) => Math.ceil(timeOf(given(node, variables)) / 60_000));
    const step = Number(given(this.step, variables) ?? DEFAULT_STEP_SECONDS);
    const steps = Math.ceil(((to! - from!) * 60) / step);
    return Number.isFinite(steps) ? Math.min(Math.max(1, steps), MOST_STEPS) : MOST_STEPS;
  }

  /** A key that differs between spans. */
  toString(): string {
    return [this.from, this.to, this.step].map((node) => `${node?.loc?.start}`).join('-');
  }
}

const DEFAULT_STEP_SECONDS = 60;
/** A series of analytics has no more. */
const MOST_STEPS = 1_500;

/** Fields that have lists of steps directly inside. */
const SPANS: ReadonlySet<string> = new Set(['Query.notificationAnalytics']);

/** The time that a field asks about; undefined for all others. */
export const spanOf = (parent: GraphQLCompositeType, node: FieldNode): Span | undefined =>
  SPANS.has(`${parent.name}.${node.name.value}`)
    ? new Span(argument(node, 'from'), argument(node, 'to'))
    : undefined;

function given(node: ValueNode | undefined, variables: Readonly<Record<string, unknown>>): unknown {
  if (node?.kind === Kind.VARIABLE) return variables[node.name.value];
  return node && 'value' in node ? node.value : undefined;
}

const timeOf = (value: unknown): number =>
  value instanceof Date || typeof value === 'string' || typeof value === 'number'
    ? new Date(value).getTime()
    : Number.NaN;
