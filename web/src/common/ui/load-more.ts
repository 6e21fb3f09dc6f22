import { useEffect } from 'react';
import type { ListState } from './pages.js';

/** Asks for the next page of a list once its end is near; after a failure, only when the failure is gone. */
export function useLoadMore(
  isNear: boolean,
  rowCount: number,
  { hasMore, loadMore, moreError }: Partial<Pick<ListState<unknown>, 'hasMore' | 'loadMore' | 'moreError'>>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that came may be too short to bring the end out of sight
  useEffect(() => {
    if (hasMore && isNear && !moreError) loadMore?.();
  }, [hasMore, isNear, moreError, rowCount, loadMore]);
}
