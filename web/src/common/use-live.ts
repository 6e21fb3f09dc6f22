import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { useSubscription } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { useOnFound } from './connection-status.js';
import { pauseAfterEnd } from './subscription-end.js';

interface LiveOptions<TData, TVariables> {
  readonly variables: Omit<TVariables, 'after'>;
  readonly onUpdate?: (data: TData) => void;
  /** Reads what may have been missed: the connection was lost or the subscription ended, and what came meanwhile is not all sent again. */
  readonly readAgain: () => void;
}

/** Follows a subscription that takes `$after` for as long as the component is there, over lost connections too (resuming.ts). */
export function useLive<TData, TVariables extends OperationVariables & { after?: string | null }>(
  subscription: TypedDocumentNode<TData, TVariables>,
  { variables, onUpdate, readAgain }: LiveOptions<TData, TVariables>,
): void {
  const { error, restart } = useSubscription<TData, OperationVariables>(
    subscription as TypedDocumentNode<TData, OperationVariables>,
    {
      variables: { ...variables, after: null },
      onData: ({ data: { data } }) => data && onUpdate?.(data as TData),
    },
  );
  useOnFound(readAgain);
  const newest = useRef(readAgain);
  useEffect(() => {
    newest.current = readAgain;
  });
  useEffect(() => {
    const pauseMs = error ? pauseAfterEnd(codesOf(error)) : null;
    if (pauseMs === null) return;
    const timer = setTimeout(() => {
      restart();
      newest.current();
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [error, restart]);
}

const codesOf = (error: unknown): readonly unknown[] =>
  CombinedGraphQLErrors.is(error) ? error.errors.map(({ extensions }) => extensions?.code) : [];
