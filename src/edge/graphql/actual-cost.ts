import {
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { fieldOf, type Variables } from './cost.js';
import { leafCost, textCost } from './large-texts.js';
import { type PageSize, pageOf, sizeIn } from './page-size.js';
import { type Fragments, isIntrospection } from './shape.js';

/** What is counted of the objects at one path of the answer. */
interface ObjectCount {
  /** Fields that each object here has, whatever its type and the variables are. */
  readonly certain: number;
  /** Response keys that only some objects here have. */
  readonly possible: readonly string[];
  readonly below: readonly { readonly key: string; readonly count: ObjectCount }[];
  /** Response keys of text that may be long. */
  readonly texts: readonly string[];
  /** Nothing but certain fields, none of which holds objects: they need not be looked into. */
  readonly isPlain: boolean;
  /** Of a paged field: what is read whether or not the answer holds it. */
  readonly page: PageSize | undefined;
}

/** A selection set that contributes to such objects. */
interface Source {
  readonly set: SelectionSetNode;
  readonly type: GraphQLNamedType | undefined;
  /** Whether every object here has it. */
  readonly isCertain: boolean;
}

/** The mentions of one response key at one path. */
interface Mentions {
  isCertain: boolean;
  isLargeText: boolean;
  page: PageSize | undefined;
  readonly below: Source[];
}

/**
 * Compiles a function for an answer's true cost in the terms of `operationCost`: 1 for each field that is there, in every
 * object of every list. A null field counts 1, and so does an item that is null in a list of objects: it was looked for.
 * Long text counts 1 more for each 8 kB that it has.
 * A list of plain values is one field, and so is whatever a field without a selection holds: objects of custom scalars,
 * and introspection. A paged field whose answer has no list costs its size at least: its page was read, however little of
 * it was asked for. Never more than `operationCost`, where lists are no longer than it assumes.
 *
 * @param input the operation of a document that validated against the schema
 */
export function compileActualCost(input: {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
}): (data: unknown, variables: Variables) => number {
  const { schema, operation, fragments } = input;
  const type = schema.getRootType(operation.operation) ?? undefined;
  const root = countOf([{ set: operation.selectionSet, type, isCertain: true }], undefined);
  return (data, variables) => costOfValue(data, root, variables);

  function countOf(sources: readonly Source[], page: PageSize | undefined): ObjectCount {
    const fields = new Map<string, Mentions>();
    const spread = new Set<string>();
    for (const source of sources) collect(source, fields, spread);
    const entries = [...fields];
    const possible = entries.flatMap(([key, { isCertain }]) => (isCertain ? [] : [key]));
    const below = entries.flatMap(([key, mentions]) =>
      mentions.below.length > 0
        ? [{ key, count: countOf(soleIsCertain(mentions.below), mentions.page) }]
        : [],
    );
    const texts = entries.flatMap(([key, { isLargeText }]) => (isLargeText ? [key] : []));
    const isPlain = texts.length === 0 && possible.length === 0 && below.length === 0 && page === undefined;
    return { certain: entries.length - possible.length, possible, below, texts, isPlain, page };
  }

  function collect(source: Source, fields: Map<string, Mentions>, spread: Set<string>): void {
    for (const selection of source.set.selections) {
      const isCertain = source.isCertain && !hasCondition(selection);
      if (selection.kind === Kind.FIELD) mention(selection, { ...source, isCertain }, fields);
      else {
        const inner = narrowed(selection, { ...source, isCertain }, spread);
        if (inner) collect(inner, fields, spread);
      }
    }
  }

  /** What a fragment brings in; undefined for one that was brought in as certainly before. */
  function narrowed(
    selection: Exclude<SelectionNode, FieldNode>,
    { type, isCertain }: Source,
    spread: Set<string>,
  ): Source | undefined {
    const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
    const fragment = isSpread ? fragments.get(selection.name.value) : selection;
    const condition = fragment?.typeCondition?.name.value;
    if (!fragment) return undefined;
    const narrow = condition === undefined ? type : schema.getType(condition);
    const source = {
      set: fragment.selectionSet,
      type: narrow,
      isCertain: isCertain && isAlways(type, narrow),
    };
    if (!isSpread) return source;
    const key = `${selection.name.value} ${source.isCertain}`;
    if (spread.has(key)) return undefined;
    spread.add(key);
    return source;
  }

  function mention(node: FieldNode, { type, isCertain }: Source, fields: Map<string, Mentions>): void {
    const key = node.alias?.value ?? node.name.value;
    const mentions = fields.get(key) ?? {
      isCertain: false,
      isLargeText: false,
      page: undefined,
      below: [],
    };
    fields.set(key, mentions);
    mentions.isCertain ||= isCertain;
    mentions.isLargeText ||= isCompositeType(type) && leafCost(type, node.name.value) > 1;
    if (!node.selectionSet || isIntrospection(node)) return;
    const field = fieldOf(type, node);
    // All mentions of a key have the same arguments, or the document would not be valid.
    if (field && !isListType(getNullableType(field.type))) mentions.page = pageOf(field, node);
    mentions.below.push({ set: node.selectionSet, type: field && getNamedType(field.type), isCertain });
  }

  /** Whether all objects of a type are of another, too. */
  function isAlways(type: GraphQLNamedType | undefined, other: GraphQLNamedType | undefined): boolean {
    if (type === other) return true;
    if (!isAbstractType(other)) return false;
    return (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(other, type);
  }
}

/** A field that has objects at all has them of its only mention. */
function soleIsCertain(sources: readonly Source[]): readonly Source[] {
  const [only, ...others] = sources;
  return only && others.length === 0 ? [{ ...only, isCertain: true }] : sources;
}

const hasCondition = ({ directives }: SelectionNode): boolean =>
  directives?.some(({ name }) => name.value === 'skip' || name.value === 'include') ?? false;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Of keys like `constructor` every object has something. */
const ownOf = (object: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Recursive as the operation is, whose depth is limited, not as the data may be. */
function costOfObject(object: Record<string, unknown>, count: ObjectCount, variables: Variables): number {
  const { certain, possible, below, texts, page } = count;
  let cost = certain;
  let hasList = false;
  for (let i = 0; i < possible.length; i += 1) if (ownOf(object, possible[i]!) !== undefined) cost += 1;
  for (let i = 0; i < texts.length; i += 1) cost += textCost(object[texts[i]!]);
  for (let i = 0; i < below.length; i += 1) {
    const { key, count } = below[i]!;
    const value = ownOf(object, key);
    cost += costOfValue(value, count, variables);
    hasList ||= Array.isArray(value);
  }
  return page === undefined || hasList ? cost : Math.max(cost, sizeIn(page, variables));
}

function costOfValue(value: unknown, count: ObjectCount, variables: Variables): number {
  if (!isObject(value)) return 0;
  if (!Array.isArray(value)) return count.isPlain ? count.certain : costOfObject(value, count, variables);
  let cost = 0;
  for (let i = 0; i < value.length; i += 1)
    cost += value[i] == null ? 1 : costOfValue(value[i], count, variables);
  return cost;
}
