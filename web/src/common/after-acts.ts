import { ApolloLink } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { defer, finalize, mergeMap, type Observable, of } from 'rxjs';

/** Acts that ended, whether they succeeded or not; `actsDone` counts those that succeeded. */
let actsEnded = 0;

/**
 * Sends a query again if an act (a mutation with `isAct` in its context) ended while the query was under way: its answer may have been
 * read before the act, and would overwrite what is shown of it. A refetch alone would not help, since Apollo Client gives it the
 * answer of the query under way. Repeats until no act ends meanwhile; a query that fails is not repeated.
 */
export const afterActs = new ApolloLink((operation, forward) => {
  if (operation.operationType === OperationTypeNode.MUTATION && operation.getContext().isAct)
    return forward(operation).pipe(
      finalize(() => {
        actsEnded += 1;
      }),
    );
  if (operation.operationType !== OperationTypeNode.QUERY) return forward(operation);
  const ask = (): Observable<ApolloLink.Result> =>
    defer(() => {
      const endedBefore = actsEnded;
      return forward(operation).pipe(mergeMap((answer) => (actsEnded === endedBefore ? of(answer) : ask())));
    });
  return ask();
});
