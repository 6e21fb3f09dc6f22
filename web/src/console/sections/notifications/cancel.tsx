import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAct } from '../../../common/ui/act.js';
import { Dialog } from '../../../common/ui/dialog.js';
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
        <Dialog title={t('cancel.title')} onClose={close}>
          <Text size="sm">{t('cancel.help')}</Text>
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={close}>
              {t('cancel.keep')}
            </Button>
            <Button
              color="red"
              loading={isRunning}
              onClick={async () => {
                const outcome = await act({ input: { notificationId } });
                if (outcome.ok) close();
              }}
            >
              {t('cancel.button')}
            </Button>
          </Group>
        </Dialog>
      )}
    </>
  );
}
