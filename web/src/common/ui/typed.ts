import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

/**
 * The text of a field whose value is kept elsewhere, such as in the URL, where each letter would come back late and undo the next
 * one. The field shows at once what is typed, and reports it when the typing pauses; it takes another value over where somebody
 * else changed it.
 *
 * @returns the text, what the field calls with each change, and what it calls when it is left
 */
export function useTyped(value: string, report: (value: string) => void) {
  const [text, setText] = useState(value);
  /** What was reported and has not come back as the value yet. */
  const reported = useRef<string[]>([]);
  const later = useDebouncedCallback((typed: string) => {
    const next = typed.trim();
    if (next === (reported.current.at(-1) ?? value)) return;
    reported.current.push(next);
    report(next);
  }, PAUSE_MS);
  useEffect(() => {
    const at = reported.current.indexOf(value);
    reported.current.splice(0, at < 0 ? reported.current.length : at + 1);
    if (at >= 0) return;
    later.cancel();
    setText(value);
  }, [value, later]);
  const type = (next: string): void => {
    setText(next);
    later(next);
  };
  return [text, type, () => later.flush()] as const;
}
