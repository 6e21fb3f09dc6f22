import { type KeyboardEvent, type RefObject, useEffect } from 'react';
import { useShortcutSetting } from '../../common/shortcut-setting.js';
import { hasModifier, isTyping, isWithin } from '../../common/ui/typing.js';

/** j and k go from post to post of a stream, from wherever the focus is. */
export function useStreamKeys(
  body: RefObject<HTMLElement | null>,
  count: number,
  scrollTo: (index: number) => void,
): (event: KeyboardEvent) => void {
  function step(by: number): void {
    const focused = document.activeElement?.closest('[data-index]');
    const present =
      focused && body.current?.contains(focused) ? Number(focused.getAttribute('data-index')) : undefined;
    const next = present === undefined ? firstVisible(body.current) : present + by;
    if (next < 0 || next >= count) return;
    scrollTo(next);
    requestAnimationFrame(() =>
      body.current
        ?.querySelector<HTMLElement>(`[data-index="${next}"] [role=article], [data-index="${next}"] article`)
        ?.focus(),
    );
  }

  const [isOn] = useShortcutSetting();
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || hasModifier(event) || isTyping(event)) return;
      if (event.key === 'j') step(1);
      else if (event.key === 'k') step(-1);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  return (event) => {
    if (isTyping(event) || !isWithin(event)) return;
    if (event.key === 'PageDown') step(1);
    else if (event.key === 'PageUp') step(-1);
    else return;
    event.preventDefault();
  };
}

function firstVisible(body: HTMLElement | null): number {
  const rows = [...(body?.querySelectorAll<HTMLElement>('[data-index]') ?? [])];
  const found = rows
    .filter((row) => row.getBoundingClientRect().bottom > 120)
    .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))[0];
  return Number(found?.dataset.index ?? 0);
}
