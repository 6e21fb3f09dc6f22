import type {
  DocumentNode,
  OperationVariables,
  TypedDocumentNode,
  WatchQueryFetchPolicy,
} from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { getMainDefinition } from '@apollo/client/utilities';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router';
import { actsDone } from './act.js';

/** A connection, as the API has its lists. */
interface ConnectionLike<TNode> {
  readonly edges: readonly { readonly cursor: string; readonly node: TNode }[];
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

interface PagesOptions<TVariables> {
  /** In milliseconds; 0: only when it is opened. */
  readonly pollInterval?: number;
  readonly skip?: boolean;
  /** The first page is read again only by `refetch`: it is followed by other means. */
  readonly isReadOnce?: boolean;
  /** Variables of all pages but the first one, where they differ. */
  readonly furtherPages?: Partial<TVariables>;
}

/**
 * A list that is read page by page. The query takes `$after`, asks for `edges { cursor node { … } }` and
 * `pageInfo { hasNextPage endCursor }`, and its field is named in the cache's `PAGED` (client.ts). Who goes back to it finds the
 * pages that they left; who comes anew, the first page as it is now.
 *
 * @param connectionOf finds the list in what the query answers
 */
export function usePages<TData, TVariables extends OperationVariables & { after?: string | null }, TNode>(
  query: TypedDocumentNode<TData, TVariables>,
  variables: Omit<TVariables, 'after'>,
  connectionOf: (data: TData) => ConnectionLike<TNode> | null | undefined,
  { pollInterval = 0, skip = false, isReadOnce = false, furtherPages }: PagesOptions<TVariables> = {},
) {
  const isUnchanged = useUnchanged(query, variables);
  const result = useQuery<TData, OperationVariables>(query as TypedDocumentNode<TData, OperationVariables>, {
    variables,
    pollInterval,
    skip,
    fetchPolicy: isUnchanged || isReadOnce ? 'cache-first' : 'cache-and-network',
    nextFetchPolicy: isReadOnce ? 'cache-first' : nextFetchPolicy,
    notifyOnNetworkStatusChange: true,
  });
  const { data, error, loading, fetchMore, refetch } = result;
  const connection = data === undefined ? undefined : connectionOf(data as TData);
  const cursor = connection?.pageInfo.hasNextPage ? connection.pageInfo.endCursor : undefined;
  const asked = useRef<string | null>(null);
  const [failed, setFailed] = useState<{ readonly cursor: string; readonly error: unknown }>();

  const latestFurther = useRef(furtherPages);
  const loadMore = useCallback(() => {
    if (!cursor || asked.current === cursor) return;
    asked.current = cursor;
    setFailed(undefined);
    // What is loaded anew has the same cursors again.
    const forget = () => {
      asked.current = null;
    };
    fetchMore({ variables: { ...latestFurther.current, after: cursor } }).then(forget, (reason: unknown) => {
      forget();
      setFailed({ cursor, error: reason });
    });
  }, [cursor, fetchMore]);

  const list: ListState<TNode> = {
    rows: connection?.edges.map(({ node }) => node) ?? [],
    isLoaded: data !== undefined,
    error,
    retry: () => void refetch(),
    hasMore: cursor !== undefined,
    loadMore,
    moreError: failed !== undefined && failed.cursor === cursor ? failed.error : undefined,
  };
  return {
    list,
    /** All that the query answered; undefined until the first page is there. */
    data: data as TData | undefined,
    loading,
    refetch,
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
export function useAllPages<TData, TVariables extends OperationVariables & { after?: string | null }, TNode>(
  ...args: Parameters<typeof usePages<TData, TVariables, TNode>>
) {
  const { rows, isLoaded, error, retry, moreError, hasMore, loadMore } = usePages(...args).list;
  useEffect(() => {
    if (hasMore && !moreError) loadMore();
  }, [hasMore, moreError, loadMore]);
  return {
    rows,
    isComplete: isLoaded && !hasMore,
    error: error ?? moreError,
    retry: moreError ? loadMore : retry,
  };
}
