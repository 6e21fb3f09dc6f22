import { useCallback, useState } from 'react';
import { session } from '../../common/session.js';

const nameOf = (key: string): string => `tidings.kept.${session()?.userId ?? ''}.${key}`;

/** State that outlives a reload, in this tab: what was typed is not lost. What equals the initial value is not stored. */
export function useKept<T>(key: string, initial: T): readonly [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => read(key) ?? initial);
  const set = useCallback(
    (next: T) => {
      setValue(next);
      const text = JSON.stringify(next);
      if (text === JSON.stringify(initial)) sessionStorage.removeItem(nameOf(key));
      else sessionStorage.setItem(nameOf(key), text);
    },
    [key, initial],
  );
  return [value, set];
}

function read<T>(key: string): T | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(key)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
