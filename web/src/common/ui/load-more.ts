import { useCallback, useEffect, useState } from 'react';
import { useOnFound } from '../connection-status.js';

/**
 * Asks for the next page of a list once its end is near. After a failure it is asked for when somebody says so, or when the
 * connection is there again.
 *
 * @param loadMore answers what went wrong, or undefined
 */
export function useLoadMore(
  isNear: boolean,
  rowCount: number,
  loadMore: (() => Promise<unknown>) | undefined,
) {
  const [error, setError] = useState<unknown>();
  const ask = useCallback(async () => {
    setError(undefined);
    setError(await loadMore?.());
  }, [loadMore]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that came may be too short to bring the end out of sight
  useEffect(() => {
    if (isNear && !error) void ask();
  }, [isNear, rowCount, error, ask]);
  useOnFound(() => {
    if (error) void ask();
  });
  return { error, retry: () => void ask() };
}
