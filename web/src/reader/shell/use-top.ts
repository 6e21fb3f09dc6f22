import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** A page that is opened begins at its top. Who goes back is taken to their place by the stream that they left. */
export function useTop(): void {
  const { pathname } = useLocation();
  const isBack = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useLayoutEffect(() => {
    if (!isBack) window.scrollTo({ top: 0 });
  }, [pathname]);
}
