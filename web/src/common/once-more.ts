import { ApolloLink } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { catchError, from, mergeMap, throwError } from 'rxjs';
import { isThere } from './reachability.js';
import { isUnanswered } from './unanswered.js';

/**
 * Sends a query once more whose answer was lost while the server is there: nothing is found again then, so that nobody else would
 * ask. A mutation may have been done.
 */
export const onceMore = new ApolloLink((operation, forward) => {
  if (operation.operationType !== OperationTypeNode.QUERY) return forward(operation);
  return forward(operation).pipe(
    catchError((error: unknown) =>
      from(isUnanswered(error) ? isThere() : [false]).pipe(
        mergeMap((isFound) => (isFound ? forward(operation) : throwError(() => error))),
      ),
    ),
  );
});
