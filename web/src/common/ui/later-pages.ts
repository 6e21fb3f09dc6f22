import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { APART, client } from '../client.js';

/** Where the later pages of each list begin that was read: who comes back finds them in the cache. */
const beginnings = new Map<string, readonly string[]>();

interface Kept<TPage> {
  readonly list: string;
  readonly pages: readonly TPage[];
}

/**
 * The pages of a list that follow its first one. Each is kept and followed in the cache by itself: joined to one list there,
 * all of them would be read again whenever another one comes.
 *
 * @param key another list has another one
 */
export function useLaterPages<TData, TPage>(
  query: TypedDocumentNode<TData, OperationVariables>,
  variables: OperationVariables,
  pageOf: (data: TData) => TPage | null | undefined,
  key: string,
) {
  const [document] = useState(() => client.cache.transformDocument(query));
  const list = `${JSON.stringify(document.definitions[0])} ${key}`;
  const newest = useRef({ variables, pageOf });
  newest.current = { variables, pageOf };
  const watches = useRef<(() => void)[]>([]);

  const optionsOf = useCallback(
    (after: string) => ({
      query: document,
      variables: { ...newest.current.variables, after, [APART]: true },
      optimistic: true,
    }),
    [document],
  );
  const readAll = useCallback((): readonly TPage[] => {
    const pages: TPage[] = [];
    for (const after of beginnings.get(list) ?? []) {
      const { result, complete } = client.cache.diff<TData>({ ...optionsOf(after), returnPartialData: true });
      const page = complete && newest.current.pageOf(result as TData);
      if (!page) break;
      pages.push(page);
    }
    return pages;
  }, [list, optionsOf]);
  const [kept, keep] = useState<Kept<TPage>>(() => ({ list, pages: readAll() }));
  const pages = useMemo(() => (kept.list === list ? kept.pages : readAll()), [kept, list, readAll]);

  const follow = useCallback(
    (after: string, index: number): void => {
      const unwatch = client.cache.watch<TData>({
        ...optionsOf(after),
        immediate: true,
        callback({ result, complete }) {
          const page = complete && newest.current.pageOf(result as TData);
          if (page)
            keep((before) => ({
              list,
              pages: (before.list === list ? before.pages : []).toSpliced(index, 1, page),
            }));
        },
      });
      watches.current.push(unwatch);
    },
    [list, optionsOf],
  );
  const unfollow = useCallback(() => {
    for (const unwatch of watches.current) unwatch();
    watches.current = [];
  }, []);
  useEffect(() => {
    const known = (beginnings.get(list) ?? []).slice(0, readAll().length);
    beginnings.set(list, known);
    known.forEach(follow);
    return unfollow;
  }, [list, readAll, follow, unfollow]);

  /** @throws what the request did */
  const load = useCallback(
    async (after: string): Promise<void> => {
      const own = watches.current;
      const asked = { query, variables: optionsOf(after).variables, fetchPolicy: 'network-only' as const };
      await client.query<TData, OperationVariables>(asked);
      // Meanwhile the list was forgotten, or is another one.
      if (watches.current !== own) return;
      const known = beginnings.get(list) ?? [];
      beginnings.set(list, [...known, after]);
      follow(after, known.length);
    },
    [query, list, optionsOf, follow],
  );
  const forget = useCallback(() => {
    unfollow();
    beginnings.delete(list);
    keep({ list, pages: [] });
  }, [list, unfollow]);

  return { pages, load, forget };
}
