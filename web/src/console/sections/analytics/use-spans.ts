import { useEffect, useMemo, useState } from 'react';
import { type ChosenSpan, comparedWith, type Span, spanOf } from './span.js';

const MINUTE = 60_000;

/** The span that is shown and the one that it is compared with. Those that end now move on each minute. */
export function useSpans(chosen: ChosenSpan): { readonly span: Span; readonly before: Span | null } {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  const { span, from, to, compare } = chosen;
  return useMemo(() => {
    const shown = spanOf({ span, from, to }, now);
    return { span: shown, before: comparedWith(shown, compare) };
  }, [span, from, to, compare, now]);
}
