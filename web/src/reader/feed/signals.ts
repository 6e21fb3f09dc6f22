import { useEffect, useRef } from 'react';
import { client } from '../../common/client.js';
import { onSession, session } from '../../common/session.js';
import type { SignalInput } from '../../generated/graphql.js';
import { Signals } from './queries.js';

const PAUSE_MS = 5_000;
const MOST = 100;
/** A post counts as seen once half of it was on the screen for this long. */
const SEEN_AFTER_MS = 1_000;

const collected: SignalInput[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
const seen = new Set<string>();

/** Reports what the reader did, which ranks their feed; many at once, and never more than a few seconds late. */
export function signal(one: SignalInput): void {
  collected.push(one);
  if (collected.length >= MOST) flush();
  else timer ??= setTimeout(flush, PAUSE_MS);
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  const signals = collected.splice(0, MOST);
  if (signals.length === 0 || !session()) return;
  // A signal that is lost changes an order a little: nobody has to hear of it.
  client.mutate({ mutation: Signals, variables: { signals } }).catch(() => undefined);
}

// What one person did is not reported as another's.
onSession(() => {
  collected.length = 0;
  seen.clear();
});

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') flush();
});

const observed = new WeakMap<Element, string>();
const waiting = new WeakMap<Element, ReturnType<typeof setTimeout>>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      clearTimeout(waiting.get(target));
      if (!isIntersecting) continue;
      waiting.set(
        target,
        setTimeout(() => wasSeen(target), SEEN_AFTER_MS),
      );
    }
  },
  { threshold: 0.5 },
);

function wasSeen(target: Element): void {
  observer.unobserve(target);
  const postId = observed.get(target);
  if (!postId || seen.has(postId)) return;
  seen.add(postId);
  signal({ kind: 'IMPRESSION', postId });
}

/** Reports a post as seen, once, when the element has been looked at. */
export function useImpression<T extends Element>(postId: string) {
  const element = useRef<T>(null);
  useEffect(() => {
    const target = element.current;
    if (!target || seen.has(postId)) return;
    observed.set(target, postId);
    observer.observe(target);
    return () => {
      clearTimeout(waiting.get(target));
      observer.unobserve(target);
    };
  }, [postId]);
  return element;
}
