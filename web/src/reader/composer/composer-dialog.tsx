import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import { LoadingLine } from '../../common/ui/states.js';
import type { SharedBody } from '../post/attachments.js';
import { useReaderTexts } from '../texts.js';

const Composer = lazy(() => import('./composer.js'));

interface Wanted {
  /** The post that is shared with a text. */
  readonly share?: SharedBody;
}

const OPEN = 'tidings:compose';

/** Opens the composer, from anywhere in the reader. */
export function openComposer(wanted: unknown = {}): void {
  const share = (wanted as Wanted).share;
  window.dispatchEvent(new CustomEvent<Wanted>(OPEN, { detail: share ? { share } : {} }));
}

export function ComposerDialog() {
  const t = useReaderTexts();
  const isPhone = useMediaQuery('(max-width: 600px)') ?? false;
  const [wanted, setWanted] = useState<Wanted>();
  useEffect(() => {
    const open = (event: Event) => setWanted((event as CustomEvent<Wanted>).detail);
    window.addEventListener(OPEN, open);
    return () => window.removeEventListener(OPEN, open);
  }, []);
  return (
    <Modal
      opened={wanted !== undefined}
      onClose={() => setWanted(undefined)}
      title={t(wanted?.share ? 'share.quote' : 'composer.open')}
      size={600}
      radius="lg"
      fullScreen={isPhone}
      yOffset="8dvh"
    >
      {wanted && (
        <Suspense fallback={<LoadingLine />}>
          <Composer {...wanted} close={() => setWanted(undefined)} />
        </Suspense>
      )}
    </Modal>
  );
}
