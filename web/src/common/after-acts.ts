import { ApolloLink } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { catchError, defer, finalize, mergeMap, type Observable, of, throwError } from 'rxjs';

/** So that a series of acts holds up no query. */
const MAX_REPEATS = 2;

/** Acts that ended, whether they succeeded or not; `actsDone` counts those that succeeded. */
let actsEnded = 0;

/**
 * Sends a query again if an act (a mutation with `isAct` in its context) ended while the query was under way: its answer may have been
 * read before the act, and would overwrite what is shown of it. A refetch alone would not help, since Apollo Client gives it the
 * answer of the query under way. If the repeat fails, the first answer is good enough.
 */
export const afterActs = new ApolloLink((operation, forward) => {
  if (operation.operationType === OperationTypeNode.MUTATION && operation.getContext().isAct)
    return forward(operation).pipe(
      finalize(() => {
        actsEnded += 1;
      }),
    );
  if (operation.operationType !== OperationTypeNode.QUERY) return forward(operation);

  const ask = (repeatsLeft: number, earlier?: ApolloLink.Result): Observable<ApolloLink.Result> =>
    defer(() => {
      const endedBefore = actsEnded;
      return forward(operation).pipe(
        catchError((error: unknown) => (earlier ? of(earlier) : throwError(() => error))),
        mergeMap((answer) => {
          if (answer.errors) return of(earlier ?? answer);
          return actsEnded === endedBefore || repeatsLeft === 0 ? of(answer) : ask(repeatsLeft - 1, answer);
        }),
      );
    });
  return ask(MAX_REPEATS);
});
