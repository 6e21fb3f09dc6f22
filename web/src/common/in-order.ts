import { ApolloLink } from '@apollo/client';
import { concatMap, defer, finalize, from } from 'rxjs';

/** The last operation of each kind that is under way. */
const lasts = new Map<string, Promise<void>>();

/**
 * Sends operations that have the same `inOrder` in their context one after another: of two that change one thing, the server
 * must not do the first one last.
 */
export const inOrder = new ApolloLink((operation, forward) => {
  const { inOrder: key } = operation.getContext();
  if (typeof key !== 'string') return forward(operation);
  return defer(() => {
    const before = lasts.get(key) ?? Promise.resolve();
    let done = (): void => undefined;
    const own = new Promise<void>((resolve) => {
      done = resolve;
    });
    lasts.set(key, own);
    return from(before).pipe(
      concatMap(() => forward(operation)),
      finalize(() => {
        if (lasts.get(key) === own) lasts.delete(key);
        done();
      }),
    );
  });
});
