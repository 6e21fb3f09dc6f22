import { Button, Group, Stack, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { useCommonTexts } from '../../../common/i18n.js';
import { Dialog } from '../../../common/ui/dialog.js';
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
  const c = useCommonTexts();
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
        <Dialog title={t('send.title')} onClose={() => setAsked(false)}>
          <Stack>
            <Text size="sm">
              {t('send.ask', { count: recipients.length, type })} {isLater ? '' : t('send.atOnce')}
            </Text>
            <Text size="sm" c="dimmed" lineClamp={3}>
              {recipients.join(', ')}
            </Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setAsked(false)}>
                {c('act.cancel')}
              </Button>
              <Button
                loading={isRunning}
                onClick={async () => {
                  await onSend();
                  setAsked(false);
                }}
              >
                {t('send.confirm')}
              </Button>
            </Group>
          </Stack>
        </Dialog>
      )}
    </>
  );
}
