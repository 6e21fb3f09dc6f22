import type {
  FragmentDefinitionNode,
  GraphQLError,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
  ResponsePath,
} from 'graphql';
import type { AnswerSize } from './answer-size.js';
import type { Variables } from './cost.js';
import type { FieldPlan } from './plan.js';

/** Where in an answer something stands; undefined is the answer as a whole. */
export type Path = ResponsePath;

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

/** The errors of one operation. An error below a path that became null already is dropped. */
export class CollectedErrors {
  private readonly places = new Set<Path | undefined>();
  readonly errors: GraphQLError[] = [];

  /**
   * @param place that becomes null: an object which its descendants' places lead back to
   * @returns whether the answer shows it
   */
  add(error: GraphQLError, place: Path | undefined): boolean {
    if (this.isGivenUp(place)) return false;
    this.places.add(place);
    this.errors.push(error);
    return true;
  }

  private isGivenUp(place: Path | undefined): boolean {
    for (let at = place; at; at = at.prev) if (this.places.has(at)) return true;
    return this.places.has(undefined);
  }
}
