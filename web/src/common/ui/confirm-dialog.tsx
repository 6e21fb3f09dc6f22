import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommonTexts } from '../i18n.js';
import { Dialog } from './dialog.js';

interface ConfirmDialogProps {
  readonly title: string;
  /** What it does, in a sentence or two. */
  readonly text: ReactNode;
  /** What the button that does it says. */
  readonly confirm: string;
  /** What the button that does not says. Absent: Cancel. */
  readonly keep?: string;
  /** It takes something away. */
  readonly isDangerous?: boolean;
  readonly isRunning?: boolean;
  readonly onConfirm: () => unknown;
  readonly onClose: () => void;
  /** More to know, below the text. */
  readonly children?: ReactNode;
}

/** Asks before something is done that others notice, or that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const c = useCommonTexts();
  const {
    title,
    text,
    confirm,
    keep,
    isDangerous = false,
    isRunning = false,
    onConfirm,
    onClose,
    children,
  } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {keep ?? c('act.cancel')}
          </Button>
          <Button
            {...(isDangerous && { color: 'red.9' })}
            loading={isRunning}
            onClick={() => void onConfirm()}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
