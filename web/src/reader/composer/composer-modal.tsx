import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useReaderTexts } from '../texts.js';
import Composer from './composer.js';
import type { Wanted } from './composer-dialog.js';

interface ComposerModalProps {
  /** Undefined while it is closed. */
  readonly wanted: Wanted | undefined;
  readonly close: () => void;
}

export default function ComposerModal({ wanted, close }: ComposerModalProps) {
  const t = useReaderTexts();
  const isPhone = useMediaQuery('(max-width: 600px)') ?? false;
  return (
    <Modal
      opened={wanted !== undefined}
      onClose={close}
      title={t(wanted?.share ? 'share.quote' : 'composer.open')}
      size={600}
      radius="lg"
      fullScreen={isPhone}
      yOffset="8dvh"
    >
      {wanted && <Composer {...wanted} close={close} />}
    </Modal>
  );
}
