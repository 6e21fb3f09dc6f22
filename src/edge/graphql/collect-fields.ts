import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  type InlineFragmentNode,
  isAbstractType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Variables } from './cost.js';
import type { Fragments } from './shape.js';

/** The mentions of one response key in an object: at least one. */
export type Mentions = readonly [FieldNode, ...FieldNode[]];

/**
 * The fields of an object of a type, by response key in the order of their first mentions: CollectFields of the
 * specification.
 *
 * @param sets all selection sets whose fields end up in this object
 * @throws GraphQLError where a condition has no value
 */
export function collectFields(
  { schema, fragments }: { readonly schema: GraphQLSchema; readonly fragments: Fragments },
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  variables: Variables,
): ReadonlyMap<string, Mentions> {
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
  const spread = new Set<string>();
  for (const set of sets) collect(set);
  return fields;

  function collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD && spread.has(selection.name.value)) continue;
      if (!isIncluded(selection, variables)) continue;
      if (selection.kind === Kind.FIELD) mention(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collectFragment(selection);
      else {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) collectFragment(fragment);
      }
    }
  }

  function mention(node: FieldNode): void {
    const key = (node.alias ?? node.name).value;
    const mentions = fields.get(key);
    if (mentions) mentions.push(node);
    else fields.set(key, [node]);
  }

  function collectFragment({
    typeCondition,
    selectionSet,
  }: InlineFragmentNode | FragmentDefinitionNode): void {
    if (!typeCondition || concerns(typeCondition.name.value)) collect(selectionSet);
  }

  function concerns(condition: string): boolean {
    const named = schema.getType(condition);
    return named === type || (isAbstractType(named) && schema.isSubType(named, type));
  }
}

/**
 * Whether `@skip` and `@include` leave a selection in.
 *
 * @throws GraphQLError where a condition has no value
 */
function isIncluded(selection: SelectionNode, variables: Variables): boolean {
  if (!selection.directives || selection.directives.length === 0) return true;
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false;
}

const CONDITIONAL: ReadonlySet<string> = new Set([GraphQLSkipDirective.name, GraphQLIncludeDirective.name]);

/** The variables that decide what an operation selects. */
export function conditionsOf(operation: OperationDefinitionNode, fragments: Fragments): readonly string[] {
  const names = new Set<string>();
  const spread = new Set<string>();
  collect(operation.selectionSet);
  return [...names];

  function collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      for (const { name, arguments: given = [] } of selection.directives ?? []) {
        if (!CONDITIONAL.has(name.value)) continue;
        for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }
      const below = selection.kind === Kind.FRAGMENT_SPREAD ? fragmentOnce(selection.name.value) : selection;
      if (below?.selectionSet) collect(below.selectionSet);
    }
  }

  function fragmentOnce(name: string) {
    if (spread.has(name)) return undefined;
    spread.add(name);
    return fragments.get(name);
  }
}

/** A key for one combination of the conditions' values. */
export const variantOf = (conditions: readonly string[], variables: Variables): string =>
  conditions.map((name) => (Object.hasOwn(variables, name) ? String(variables[name]) : '')).join();
