import { ApolloLink } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { catchError, mergeMap, of, throwError } from 'rxjs';
import { documentIds } from './graphql.js';

/**
 * Names each document by its id, and sends its text only where the api does not know the id: an api of another release does
 * not, while a page of the former one is still open. Documents have no ids while the pages are developed.
 */
export const byId = new ApolloLink((operation, forward) => {
  const id = documentIds.get(operation.operationName ?? '');
  if (!id) return forward(operation);
  operation.extensions.persistedQuery = { version: 1, sha256Hash: id };
  operation.setContext({ http: { includeQuery: false } });

  function sendText() {
    delete operation.extensions.persistedQuery;
    operation.setContext({ http: { includeQuery: true } });
    return forward(operation);
  }
  return forward(operation).pipe(
    mergeMap((result) => (isUnknown(result.errors) ? sendText() : of(result))),
    catchError((error: unknown) =>
      CombinedGraphQLErrors.is(error) && isUnknown(error.errors) ? sendText() : throwError(() => error),
    ),
  );
});

const isUnknown = (errors: readonly { readonly extensions?: Record<string, unknown> }[] | undefined) =>
  errors?.some(({ extensions }) => extensions?.code === 'PERSISTED_DOCUMENT_NOT_FOUND') ?? false;
