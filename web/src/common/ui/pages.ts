import { NetworkStatus, type OperationVariables, type TypedDocumentNode } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import type { DocumentNode } from 'graphql';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useOnFound } from '../connection-status.js';
import { useLaterPages } from './later-pages.js';

/** A connection, as the API has its lists. */
interface ConnectionLike<TNode> {
  readonly edges: readonly { readonly cursor: string; readonly node: TNode }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/**
 * A list that is read page by page. The query takes `$after`, asks for `edges { cursor node { … } }` and
 * `pageInfo { hasNextPage endCursor }`, and its field is named in the cache's `PAGED` (client.ts).
 *
 * @param connectionOf finds the list in what the query answers
 */
export function usePages<TData, TVariables extends OperationVariables & { after?: string | null }, TNode>(
  query: TypedDocumentNode<TData, TVariables>,
  variables: Omit<TVariables, 'after'>,
  connectionOf: (data: TData) => ConnectionLike<TNode> | null | undefined,
  { pollInterval = 0, skip = false } = {},
) {
  const document = query as TypedDocumentNode<TData, OperationVariables>;
  const result = useQuery<TData, OperationVariables>(document, {
    variables,
    pollInterval,
    skip,
    notifyOnNetworkStatusChange: true,
  });
  const { data, error, loading, networkStatus, refetch } = result;
  const first = data === undefined ? undefined : connectionOf(data as TData);
  const firstEnd = first?.pageInfo.endCursor;
  // What follows another first page is another list.
  const key = JSON.stringify([variables, firstEnd]);
  const { pages, load, forget } = useLaterPages(document, variables, connectionOf, key);
  const isReloading = networkStatus === NetworkStatus.refetch;
  useEffect(() => {
    if (isReloading) forget();
  }, [isReloading, forget]);

  const { hasNextPage, endCursor } = (pages.at(-1) ?? first)?.pageInfo ?? {};
  const cursor = hasNextPage ? endCursor : undefined;
  const asked = useRef<string | null>(null);
  const [moreError, setMoreError] = useState<unknown>();

  const loadMore = useCallback(async (): Promise<unknown> => {
    if (!cursor || asked.current === cursor) return undefined;
    asked.current = cursor;
    setMoreError(undefined);
    try {
      await load(cursor);
      return undefined;
    } catch (failure) {
      setMoreError(failure);
      return failure;
    } finally {
      // What is loaded anew has the same cursors again.
      asked.current = null;
    }
  }, [cursor, load]);

  const reload = useCallback(() => {
    setMoreError(undefined);
    return refetch();
  }, [refetch]);

  useOnFound(() => {
    setMoreError(undefined);
    // Of a list of which more is there the reader would lose their place.
    if (!skip && pages.length === 0) refetch().catch(() => undefined);
  });

  const edges = first?.edges;
  const nodes = useMemo(
    () => [...(edges ?? []), ...pages.flatMap((page) => page.edges)].map(({ node }) => node),
    [edges, pages],
  );

  return {
    nodes,
    /** Undefined until the first page is there. */
    data: data as TData | undefined,
    /** Of the first page, or of the one that was asked for last. */
    error: error ?? moreError,
    loading,
    hasMore: Boolean(cursor),
    /** Resolves with what went wrong, undefined where nothing did. */
    loadMore,
    refetch: reload,
    /** For those who ask the same of the API. */
    asked: { document: query as DocumentNode, variables },
  };
}
