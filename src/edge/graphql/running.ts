import type {
  FragmentDefinitionNode,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { AnswerSize } from './answer-size.js';
import type { CollectedErrors, Path } from './collected-errors.js';
import type { Variables } from './cost.js';
import type { FieldPlan } from './plan.js';

/** An operation that runs: what is the same in every part of its answer. */
export interface Running {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  readonly root: unknown;
  readonly context: unknown;
  readonly variables: Variables;
  readonly size: AnswerSize;
  readonly errors: CollectedErrors;
}

export const pathOf = ({ key, parent }: FieldPlan, prev: Path | undefined): Path => ({
  prev,
  key,
  typename: parent.name,
});

export const itemPath = (prev: Path, key: number): Path => ({ prev, key, typename: undefined });

/** The `info` argument of resolvers. @param path of the field, or of an item of its list */
export function infoOf(
  run: Running,
  { name, nodes, field, parent }: FieldPlan,
  path: Path,
): GraphQLResolveInfo {
  let at = path;
  while (typeof at.key === 'number' && at.prev) at = at.prev;
  return {
    fieldName: name,
    fieldNodes: nodes,
    returnType: field.type,
    parentType: parent,
    path: at,
    schema: run.schema,
    fragments: run.fragments,
    rootValue: run.root,
    operation: run.operation,
    variableValues: run.variables,
  };
}
