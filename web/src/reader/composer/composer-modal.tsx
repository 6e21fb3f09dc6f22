import { useMediaQuery } from '@mantine/hooks';
import { Dialog } from '../../common/ui/dialog.js';
import { useReaderTexts } from '../texts.js';
import Composer from './composer.js';
import type { Wanted } from './composer-dialog.js';

interface ComposerModalProps {
  readonly wanted: Wanted;
  readonly close: () => void;
}

export default function ComposerModal({ wanted, close }: ComposerModalProps) {
  const t = useReaderTexts();
  const isPhone = useMediaQuery('(max-width: 600px)') ?? false;
  return (
    <Dialog
      title={t(wanted.share ? 'share.quote' : 'composer.open')}
      size={600}
      isFullScreen={isPhone}
      onClose={close}
    >
      <Composer {...wanted} close={close} />
    </Dialog>
  );
}
