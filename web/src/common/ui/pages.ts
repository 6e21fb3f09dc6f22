import {
  NetworkStatus,
  type OperationVariables,
  type TypedDocumentNode,
  type WatchQueryFetchPolicy,
} from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { getMainDefinition } from '@apollo/client/utilities';
import type { DocumentNode } from 'graphql';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigationType } from 'react-router';
import { useOnFound } from '../connection-status.js';
import { actsDone } from './acts-done.js';
import { useLaterPages } from './later-pages.js';

/** A connection, as the API has its lists. */
interface ConnectionLike<TEdge> {
  readonly edges: readonly TEdge[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** What a list shows, whatever its rows look like. */
export interface ListState<TNode> {
  readonly rows: readonly TNode[];
  /** False until the first page is there. */
  readonly isLoaded: boolean;
  /** Why the first page could not be read, or not be read again. */
  readonly error: unknown;
  readonly retry: () => void;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  /** Why the next page could not be read; `loadMore` tries again. */
  readonly moreError: unknown;
}

interface PagesOptions {
  /** In milliseconds; 0: only when it is opened. */
  readonly pollInterval?: number;
  readonly skip?: boolean;
}

/**
 * A list that is read page by page. The query takes `$after`, asks for `edges { cursor node { … } }` and
 * `pageInfo { hasNextPage endCursor }`, and its field is named in the cache's `PAGED` (client.ts). Who goes back to it finds the
 * pages that they left; who comes anew, the first page as it is now.
 *
 * @param connectionOf finds the list in what the query answers
 */
export function usePages<
  TData,
  TVariables extends OperationVariables & { after?: string | null },
  TEdge extends { readonly cursor: string; readonly node: unknown },
>(
  query: TypedDocumentNode<TData, TVariables>,
  variables: Omit<TVariables, 'after'>,
  connectionOf: (data: TData) => ConnectionLike<TEdge> | null | undefined,
  { pollInterval = 0, skip = false }: PagesOptions = {},
) {
  const document = query as TypedDocumentNode<TData, OperationVariables>;
  const isUnchanged = useUnchanged(query, variables);
  const result = useQuery<TData, OperationVariables>(document, {
    variables,
    pollInterval,
    skip,
    fetchPolicy: isUnchanged ? 'cache-first' : 'cache-and-network',
    nextFetchPolicy,
    notifyOnNetworkStatusChange: true,
  });
  const { data, error, loading, networkStatus, refetch } = result;
  const first = data === undefined ? undefined : connectionOf(data as TData);
  const firstEnd = first?.pageInfo.endCursor;
  // What follows another first page is another list.
  const key = JSON.stringify([variables, firstEnd]);
  const { pages, load, forget } = useLaterPages(document, variables, connectionOf, key);
  /** The next page, while it is under way. */
  const asked = useRef<{ readonly cursor: string }>(undefined);
  const isReloading = networkStatus === NetworkStatus.refetch;
  useEffect(() => {
    if (!isReloading) return;
    // What is loaded anew has the same cursors again.
    asked.current = undefined;
    forget();
  }, [isReloading, forget]);

  const { hasNextPage, endCursor } = (pages.at(-1) ?? first)?.pageInfo ?? {};
  const cursor = hasNextPage ? endCursor : undefined;
  const [failed, setFailed] = useState<{ readonly cursor: string; readonly error: unknown }>();

  const loadMore = useCallback(() => {
    if (!cursor || asked.current?.cursor === cursor) return;
    const own = { cursor };
    asked.current = own;
    setFailed(undefined);
    const settle = () => {
      if (asked.current === own) asked.current = undefined;
    };
    load(cursor).then(settle, (reason: unknown) => {
      settle();
      setFailed({ cursor, error: reason });
    });
  }, [cursor, load]);

  const reload = useCallback(() => {
    setFailed(undefined);
    return refetch();
  }, [refetch]);

  useOnFound(() => {
    setFailed(undefined);
    // Of a list of which more is there the reader would lose their place.
    if (!skip && pages.length === 0) refetch().catch(() => undefined);
  });

  const firstEdges = first?.edges;
  const edges = useMemo(
    () => [...(firstEdges ?? []), ...pages.flatMap((page) => page.edges)],
    [firstEdges, pages],
  );
  const rows = useMemo(() => edges.map(({ node }) => node as TEdge['node']), [edges]);

  const list: ListState<TEdge['node']> = {
    rows,
    isLoaded: data !== undefined,
    error,
    retry: () => void reload().catch(() => undefined),
    hasMore: Boolean(cursor),
    loadMore,
    moreError: failed !== undefined && failed.cursor === cursor ? failed.error : undefined,
  };
  return {
    list,
    /** Of all pages, for those who need more than the nodes. */
    edges,
    /** What the query answered for the first page; undefined until it is there. */
    data: data as TData | undefined,
    loading,
    refetch: reload,
    /** For those who ask the same of the API. */
    asked: { document: query as DocumentNode, variables },
  };
}

const nextFetchPolicy = (
  _: WatchQueryFetchPolicy,
  { reason }: { readonly reason: 'after-fetch' | 'variables-changed' },
): WatchQueryFetchPolicy => (reason === 'variables-changed' ? 'cache-and-network' : 'cache-first');

/** How many acts were done when a list was left. */
const left = new Map<string, number>();

/** Whether somebody goes back to a list and has done nothing since that would change it. */
function useUnchanged(query: DocumentNode, variables: unknown): boolean {
  const isBack = useNavigationType() === 'POP';
  const definition = getMainDefinition(query);
  const name = definition.kind === 'OperationDefinition' ? definition.name?.value : undefined;
  const key = `${name} ${JSON.stringify(variables)}`;
  const [isUnchanged] = useState(() => isBack && left.get(key) === actsDone());
  useEffect(
    () => () => {
      left.set(key, actsDone());
    },
    [key],
  );
  return isUnchanged;
}

/** A list that is needed whole, such as the choices of a select: its pages are read one after another. See `usePages`. */
export function useAllPages<
  TData,
  TVariables extends OperationVariables & { after?: string | null },
  TEdge extends { readonly cursor: string; readonly node: unknown },
>(...args: Parameters<typeof usePages<TData, TVariables, TEdge>>) {
  const { list, asked } = usePages(...args);
  const { rows, isLoaded, error, retry, moreError, hasMore, loadMore } = list;
  useEffect(() => {
    if (hasMore && !moreError) loadMore();
  }, [hasMore, moreError, loadMore]);
  return {
    rows,
    isComplete: isLoaded && !hasMore,
    error: error ?? moreError,
    retry: moreError ? loadMore : retry,
    asked,
  };
}
