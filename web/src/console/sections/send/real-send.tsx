import { Button, Group, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../common/ui/confirm-dialog.js';
import { useTexts } from './texts.js';

interface RealSendProps {
  readonly type: string;
  readonly recipients: readonly string[];
  readonly isLater: boolean;
  readonly isReady: boolean;
  readonly isRunning: boolean;
  readonly onSend: () => Promise<void>;
}

/** Asks first: what was sent cannot be taken back. */
export function RealSend({ type, recipients, isLater, isReady, isRunning, onSend }: RealSendProps) {
  const t = useTexts();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Group>
        <Button
          disabled={!isReady}
          leftSection={<Send size={14} aria-hidden />}
          onClick={() => setAsked(true)}
        >
          {t('send.button', { count: recipients.length })}
        </Button>
        {!isReady && (
          <Text size="sm" c="dimmed">
            {t('send.notReady')}
          </Text>
        )}
      </Group>
      {isAsked && (
        <ConfirmDialog
          title={t('send.title')}
          text={`${t('send.ask', { count: recipients.length, type })} ${isLater ? '' : t('send.atOnce')}`}
          confirm={t('send.confirm')}
          isRunning={isRunning}
          onClose={() => setAsked(false)}
          onConfirm={async () => {
            await onSend();
            setAsked(false);
          }}
        >
          <Text size="sm" c="dimmed" lineClamp={3}>
            {recipients.join(', ')}
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}
