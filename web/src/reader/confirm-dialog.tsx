import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useCommonTexts } from '../common/i18n.js';

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly act: () => void;
  readonly close: () => void;
}

/** Asks before something is done that cannot be undone. */
export function ConfirmDialog({ title, text, confirm, act, close }: ConfirmDialogProps) {
  const c = useCommonTexts();
  return (
    <Modal opened onClose={close} title={title} centered radius="lg">
      <Stack>
        <Text size="sm">{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {c('act.cancel')}
          </Button>
          <Button color="red.8" onClick={act} data-autofocus>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
