import {
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Variables } from './cost.js';
import type { Fragments } from './shape.js';

const CONDITIONAL: ReadonlySet<string> = new Set([GraphQLSkipDirective.name, GraphQLIncludeDirective.name]);

/**
 * Whether `@skip` and `@include` leave a selection in.
 *
 * @throws GraphQLError where a condition has no value
 */
export function isIncluded(selection: SelectionNode, variables: Variables): boolean {
  if (!selection.directives || selection.directives.length === 0) return true;
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false;
}

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
