import { ConfirmDialog } from '../../common/ui/confirm-dialog.js';
import type { ReaderPersonFragment } from '../../generated/graphql.js';
import { useReaderTexts } from '../texts.js';
import { useBlock } from './mute-block.js';

interface BlockDialogProps {
  readonly person: ReaderPersonFragment;
  readonly close: () => void;
}

export function BlockDialog({ person, close }: BlockDialogProps) {
  const t = useReaderTexts();
  const block = useBlock();
  const name = person.displayName;
  return (
    <ConfirmDialog
      title={t('person.blockTitle', { name })}
      text={t('person.blockHelp')}
      confirm={t('person.block')}
      isDangerous
      onClose={close}
      onConfirm={() => {
        close();
        void block(person);
      }}
    />
  );
}
