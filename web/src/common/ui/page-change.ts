import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/**
 * What a browser does when a link leads to another page: it begins at its top, and the focus is in it. Where the link is gone with
 * the page before, the focus would be nowhere: it goes to the content, from where those who use a keyboard or a screen reader go
 * on. Who goes back is taken to their place by the list that they left.
 *
 * @param contentId of the element that holds the pages; it can be focused
 */
export function usePageChange(contentId: string): void {
  const { pathname } = useLocation();
  const isBack = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useLayoutEffect(() => {
    if (!isBack) window.scrollTo({ top: 0 });
  }, [pathname]);
  const focused = useRef(pathname);
  useEffect(() => {
    if (focused.current === pathname) return;
    focused.current = pathname;
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body)
      document.getElementById(contentId)?.focus({ preventScroll: true });
  }, [contentId, pathname]);
}
