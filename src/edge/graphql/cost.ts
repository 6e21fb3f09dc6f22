import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { leafCost } from './large-texts.js';
import { idsOf, type PageSize, pageOf, Span, sizeIn, spanOf } from './page-size.js';
import { type Fragments, isIntrospection } from './shape.js';

/** The values that an operation's variables have in one request, by name. */
export type Variables = Readonly<Record<string, unknown>>;

/** What is assumed of a list that cannot be paged: channels of a user, tiers of a limit. */
const UNPAGED_LIST = 5;

/**
 * What is assumed of those that are longer: an order may have 100 lines; a score has 12 terms. A post may have 100 earlier
 * texts, of 20 kB each. Of alerts that are over, 100 are listed; a history has 90 samples; names of attributes may be hundreds.
 */
const LARGE_LISTS: Readonly<Record<string, number>> = {
  'Order.items': 20,
  'Post.edits': 100,
  'FeedReason.terms': 12,
  'MarkInboxPayload.items': 100,
  'Query.alerts': 100,
  'Query.operationsHistory': 90,
  'Query.userAttributes': 100,
  'Query.notificationBacklog': 30,
  'SegmentEstimate.sample': 10,
  'BatchDryRun.samples': 10,
};

/** A cost that is known before the variables are, or one that waits for them. */
type Cost = number | ((request: Request) => number);
interface Request {
  readonly variables: Variables;
  /** Each fragment is reckoned once a request, however often it is spread. */
  readonly reckoned: Map<Cost, number>;
}

export interface CostInput {
  readonly schema: GraphQLSchema;
  /** Of a document that validated against the schema. */
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
  readonly variables: Variables;
}

/**
 * What the operation costs at most: 1 for each field, times the size of each list above it. A field whose text may be long
 * costs 1 more for each 8 kB that it may have.
 *
 * A list's size is its `first` or `last`: the literal, the variable, else 20. A list that is asked for by a list
 * of ids has as many items as there are ids; those in `LARGE_LISTS` count as they say, any other list of objects as 5. A
 * series of analytics has as many points as its time has steps, 1,500 at most. The
 * lists directly inside a paged field (`edges`, `nodes`) have its size; what stands beside them (`pageInfo`, `totalCount`)
 * counts once. The page is read whatever is selected of it, so a paged field costs its size at least. Lists of plain
 * values count as one field. A negative or zero page counts as 1. Where fragments overlap,
 * each mention counts.
 */
export function operationCost(input: CostInput): number {
  return compileCost(input)(input.variables);
}

/** `operationCost` with all that does not depend on variables done beforehand. */
export function compileCost(input: Omit<CostInput, 'variables'>): (variables: Variables) => number {
  const { schema, operation } = input;
  const root = schema.getRootType(operation.operation);
  return withVariables(root ? costsOf(input).ofSet(operation.selectionSet, root, undefined) : 0);
}

/** A selection set, of which type it is, and the size of the lists directly inside. */
interface Place {
  readonly set: SelectionSetNode;
  readonly parent: GraphQLCompositeType;
  readonly pageSize: PageSize | undefined;
}

/**
 * What one value in the operation's answer costs at most, with all below it.
 *
 * @param keys the response keys on the way to it, without the places in lists
 * @param isItem whether it is one item of the list that the last key has
 */
export function costAt(input: CostInput, keys: readonly string[], isItem: boolean): number {
  const { schema, operation, fragments, variables } = input;
  const costs = costsOf(input);
  const root = schema.getRootType(operation.operation);
  let places: Place[] = root ? [{ set: operation.selectionSet, parent: root, pageSize: undefined }] : [];
  for (const key of keys.slice(0, -1)) {
    places = places
      .flatMap((place) => mentionsOf(place, key))
      .flatMap(({ node, place }) => inside(node, place));
  }
  const found = places.flatMap((place) => mentionsOf(place, keys.at(-1)!));
  const cost = found.map(({ node, place }) =>
    isItem
      ? sum(inside(node, place).map(({ set, parent }) => costs.ofSet(set, parent, undefined)))
      : costs.ofField(node, place.parent, place.pageSize),
  );
  return withVariables(sum(cost))(variables);

  function mentionsOf(
    place: Place,
    key: string,
    spread = new Set<string>(),
  ): { node: FieldNode; place: Place }[] {
    return place.set.selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD)
        return (selection.alias ?? selection.name).value === key ? [{ node: selection, place }] : [];
      const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined;
      if (name !== undefined && spread.has(name)) return [];
      if (name !== undefined) spread.add(name);
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      const condition = fragment?.typeCondition;
      const parent = condition ? schema.getType(condition.name.value) : place.parent;
      if (!fragment || !isCompositeType(parent)) return [];
      return mentionsOf({ ...place, set: fragment.selectionSet, parent }, key, spread);
    });
  }
}

function inside(node: FieldNode, { parent }: Place): Place[] {
  const field = fieldOf(parent, node);
  const type = field && getNamedType(field.type);
  if (!node.selectionSet || !isCompositeType(type)) return [];
  const isList = isListType(getNullableType(field!.type));
  const pageSize = isList ? undefined : (pageOf(field!, node) ?? spanOf(parent, node));
  return [{ set: node.selectionSet, parent: type, pageSize }];
}

const withVariables = (cost: Cost): ((variables: Variables) => number) =>
  typeof cost === 'number' ? () => cost : (variables) => cost({ variables, reckoned: new Map() });

/** The costs of an operation's parts. */
function costsOf({ schema, fragments }: Pick<CostInput, 'schema' | 'fragments'>) {
  const ofFragments = new Map<string, Cost>();
  return { ofSet, ofField };

  /** @param pageSize of the paged field whose selection this is, for the lists directly inside */
  function ofSet(set: SelectionSetNode, parent: GraphQLCompositeType, pageSize: PageSize | undefined): Cost {
    return sum(set.selections.map((selection) => ofSelection(selection, parent, pageSize)));
  }

  function ofSelection(
    selection: SelectionNode,
    parent: GraphQLCompositeType,
    pageSize: PageSize | undefined,
  ): Cost {
    if (selection.kind === Kind.FIELD) return ofField(selection, parent, pageSize);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value, pageSize);
    const type = selection.typeCondition ? schema.getType(selection.typeCondition.name.value) : parent;
    return isCompositeType(type) ? ofSet(selection.selectionSet, type, pageSize) : 0;
  }

  function ofField(node: FieldNode, parent: GraphQLCompositeType, pageSize: PageSize | undefined): Cost {
    const field = fieldOf(parent, node);
    const type = field && getNamedType(field.type);
    if (!field || !node.selectionSet || !isCompositeType(type) || isIntrospection(node))
      return leafCost(parent, node.name.value);
    const isList = isListType(getNullableType(field.type));
    const ownPage = pageOf(field, node);
    if (ownPage !== undefined && !isList)
      return sum([1, atLeast(ownPage, ofSet(node.selectionSet, type, ownPage))]);
    if (!isList) return sum([1, ofSet(node.selectionSet, type, spanOf(parent, node))]);
    const above = pageSize instanceof Span ? pageSize.in(node) : pageSize;
    const size = ownPage ?? idsOf(field, node) ?? above ?? unpaged(parent, field.name);
    return sum([1, times(size, ofSet(node.selectionSet, type, undefined))]);
  }

  function ofFragment(name: string, pageSize: PageSize | undefined): Cost {
    const key = `${name} ${pageSize}`;
    const known = ofFragments.get(key);
    if (known !== undefined) return known;
    ofFragments.set(key, 0);
    const fragment = fragments.get(name);
    const type = fragment && schema.getType(fragment.typeCondition.name.value);
    const cost = isCompositeType(type) && fragment ? once(ofSet(fragment.selectionSet, type, pageSize)) : 0;
    ofFragments.set(key, cost);
    return cost;
  }
}

/** The field that a mention is of; undefined for those that every type has. */
export const fieldOf = (type: GraphQLNamedType | undefined, { name }: FieldNode) =>
  isObjectType(type) || isInterfaceType(type) ? type.getFields()[name.value] : undefined;

const unpaged = (parent: GraphQLCompositeType, field: string): number =>
  LARGE_LISTS[`${parent.name}.${field}`] ?? UNPAGED_LIST;

function sum(costs: readonly Cost[]): Cost {
  const fixed = costs.reduce<number>((total, cost) => total + (typeof cost === 'number' ? cost : 0), 0);
  const waiting = costs.filter((cost) => typeof cost === 'function');
  if (waiting.length === 0) return fixed;
  return (request) => waiting.reduce((total, cost) => total + cost(request), fixed);
}

function times(size: PageSize, cost: Cost): Cost {
  if (typeof size === 'number')
    return typeof cost === 'number' ? size * cost : (request) => size * cost(request);
  return (request) => sizeIn(size, request.variables) * (typeof cost === 'number' ? cost : cost(request));
}

function atLeast(size: PageSize, cost: Cost): Cost {
  if (typeof size === 'number' && typeof cost === 'number') return Math.max(size, cost);
  return (request) =>
    Math.max(sizeIn(size, request.variables), typeof cost === 'number' ? cost : cost(request));
}

/** Keeps what a fragment cost in this request: without it, nested spreads would be reckoned exponentially often. */
function once(cost: Cost): Cost {
  if (typeof cost === 'number') return cost;
  return (request) => {
    const known = request.reckoned.get(cost);
    if (known !== undefined) return known;
    const value = cost(request);
    request.reckoned.set(cost, value);
    return value;
  };
}
