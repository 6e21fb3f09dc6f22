import { ApolloLink } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { defer, finalize, mergeMap, type Observable, of } from 'rxjs';

let done = 0;

/**
 * Asks a query again where an act (`isAct` in its context) ended while it was under way: its answer may be of before, and would take
 * back what is shown of the act. Who asks for the same meanwhile is given the answer of a query that is under way: this makes it a new one.
 */
export const afterActs = new ApolloLink((operation, forward) => {
  if (operation.operationType === OperationTypeNode.MUTATION && operation.getContext().isAct)
    return forward(operation).pipe(
      finalize(() => {
        done += 1;
      }),
    );
  if (operation.operationType !== OperationTypeNode.QUERY) return forward(operation);
  const ask = (): Observable<ApolloLink.Result> =>
    defer(() => {
      const before = done;
      return forward(operation).pipe(mergeMap((answer) => (done === before ? of(answer) : ask())));
    });
  return ask();
});
