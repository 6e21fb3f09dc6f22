import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import type { DocumentNode } from 'graphql';
import { useCallback, useRef } from 'react';

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
  const result = useQuery<TData, OperationVariables>(query as TypedDocumentNode<TData, OperationVariables>, {
    variables,
    pollInterval,
    skip,
    notifyOnNetworkStatusChange: true,
  });
  const { data, error, loading, fetchMore, refetch } = result;
  const connection = data === undefined ? undefined : connectionOf(data as TData);
  const cursor = connection?.pageInfo.hasNextPage ? connection.pageInfo.endCursor : undefined;
  const asked = useRef<string | null>(null);

  const loadMore = useCallback(() => {
    if (!cursor || asked.current === cursor) return;
    asked.current = cursor;
    // What is loaded anew has the same cursors again.
    const forget = () => {
      asked.current = null;
    };
    fetchMore({ variables: { after: cursor } }).then(forget, forget);
  }, [cursor, fetchMore]);

  return {
    nodes: connection?.edges.map(({ node }) => node) ?? [],
    /** Undefined until the first page is there. */
    data: data as TData | undefined,
    error,
    loading,
    hasMore: cursor !== undefined,
    loadMore,
    refetch,
    /** For those who ask the same of the API. */
    asked: { document: query as DocumentNode, variables },
  };
}
