import { useSyncExternalStore } from 'react';

const KEY = 'tidings.shortcuts';

/** Whether single letters are commands. Who dictates, or types by accident, switches them off (WCAG 2.1.4). */
export const useShortcutSetting = () => [useSyncExternalStore(subscribe, isOn), setOn] as const;

const isOn = (): boolean => localStorage.getItem(KEY) !== 'false';

function setOn(next: boolean): void {
  localStorage.setItem(KEY, String(next));
  // Browsers tell other tabs alone.
  window.dispatchEvent(new Event('storage'));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}
