import { Suspense, useEffect, useState } from 'react';
import { loadedLater } from '../../common/ui/loaded-later.js';
import type { SharedBody } from '../post/attachments.js';

const ComposerModal = loadedLater(() => import('./composer-modal.js'));

export interface Wanted {
  /** The post that is shared with a text. */
  readonly share?: SharedBody;
}

const OPEN = 'tidings:compose';

/** Opens the composer, from anywhere in the reader. */
export function openComposer(wanted: unknown = {}): void {
  const share = (wanted as Wanted).share;
  window.dispatchEvent(new CustomEvent<Wanted>(OPEN, { detail: share ? { share } : {} }));
}

/** Where the composer opens: it is loaded when it is asked for first. */
export function ComposerDialog() {
  const [wanted, setWanted] = useState<Wanted>();
  useEffect(() => {
    const open = (event: Event) => setWanted((event as CustomEvent<Wanted>).detail);
    window.addEventListener(OPEN, open);
    return () => window.removeEventListener(OPEN, open);
  }, []);
  if (!wanted) return null;
  return (
    <Suspense>
      <ComposerModal wanted={wanted} close={() => setWanted(undefined)} />
    </Suspense>
  );
}
