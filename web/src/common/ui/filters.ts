import { useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';

/**
 * The filters of a page, kept in its URL, so that a link shows what the sender saw. What equals its default is not in the
 * URL. `set` with several names is one step of the browser's history.
 */
export function useFilters<T extends Record<string, string>>(initial: T) {
  const [params, setParams] = useSearchParams();
  const [defaults] = useState(initial);
  const values = useMemo(() => {
    const entries = Object.entries(defaults).map(([name, value]) => [name, params.get(name) ?? value]);
    return Object.fromEntries(entries) as { readonly [K in keyof T]: string };
  }, [params, defaults]);
  const set = useCallback(
    (changes: Partial<Record<keyof T, string | null | undefined>>, { replace = true } = {}) =>
      setParams(
        () => {
          // Not the parameters of the last render: the router renders in a transition, and a second change may come before.
          const next = new URLSearchParams(window.location.search);
          for (const [name, value] of Object.entries(changes)) {
            if (!value || value === defaults[name]) next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace },
      ),
    [setParams, defaults],
  );
  return [values, set] as const;
}
