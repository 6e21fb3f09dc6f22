import { useCallback, useState } from 'react';

/** Rules that are being written, and the version that was in force when that began. */
export interface Draft {
  readonly document: string;
  readonly baseVersion: string;
}

const KEY = 'tidings.limits.draft';

/** Kept for this tab, so that a reload and a look elsewhere lose nothing. */
export function useDraft() {
  const [draft, setState] = useState(readDraft);
  const setDraft = useCallback((next: Draft | undefined) => {
    saveDraft(next);
    setState(next);
  }, []);
  return [draft, setDraft] as const;
}

export function saveDraft(draft: Draft | undefined): void {
  if (draft) sessionStorage.setItem(KEY, JSON.stringify(draft));
  else sessionStorage.removeItem(KEY);
}

export function readDraft(): Draft | undefined {
  const text = sessionStorage.getItem(KEY);
  return text === null ? undefined : JSON.parse(text);
}
