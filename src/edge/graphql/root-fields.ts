import {
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Fragments, isIntrospection } from './shape.js';

/**
 * The root fields of a validated operation as limits name them (`Mutation.placeOrder`), with how often each is
 * mentioned: under aliases and in fragments too, whatever `@skip` and `@include` say.
 */
export function rootFieldsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): ReadonlyMap<string, number> {
  const type = schema.getRootType(operation.operation)?.name ?? '';
  const counts = new Map<string, number>();
  const count = ({ selections }: SelectionSetNode): void => selections.forEach(countOne);
  count(operation.selectionSet);
  return counts;

  function countOne(selection: SelectionNode): void {
    const set = selectionOf(selection);
    if (set) count(set);
    else if (selection.kind === Kind.FIELD && !isIntrospection(selection)) {
      const name = `${type}.${selection.name.value}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }

  /** What a fragment stands for; undefined for a field. */
  function selectionOf(selection: SelectionNode): SelectionSetNode | undefined {
    if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet;
    return selection.kind === Kind.FRAGMENT_SPREAD
      ? fragments.get(selection.name.value)?.selectionSet
      : undefined;
  }
}
