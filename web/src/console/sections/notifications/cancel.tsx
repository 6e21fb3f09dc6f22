import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAct } from '../../../common/ui/act.js';
import { ConfirmDialog } from '../../../common/ui/confirm-dialog.js';
import { cancelMutation } from './documents.js';
import { useTexts } from './texts.js';

/** Takes back what was not sent yet; asks first. */
export function CancelButton({ notificationId }: { readonly notificationId: string }) {
  const t = useTexts();
  const [isOpen, { open, close }] = useDisclosure();
  const { act, isRunning } = useAct(cancelMutation, {
    done: ({ cancelNotification }) => t('cancel.done', { count: cancelNotification.cancelled }),
    refetch: ['NotificationPage', 'DeliveryPanel'],
  });
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('cancel.button')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={t('cancel.title')}
          text={t('cancel.help')}
          confirm={t('cancel.button')}
          keep={t('cancel.keep')}
          isDangerous
          isRunning={isRunning}
          onClose={close}
          onConfirm={async () => {
            const { ok } = await act({ input: { notificationId } });
            if (ok) close();
          }}
        />
      )}
    </>
  );
}
