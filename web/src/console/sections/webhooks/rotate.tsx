import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { Dialog } from '../../../common/ui/dialog.js';
import { ShownOnce } from '../../shown-once.js';
import { useTexts } from './texts.js';

const rotateDocument = graphql(/* GraphQL */ `
  mutation WebhookRotate($webhookId: ID!) {
    rotateWebhookSecret(input: { webhookId: $webhookId }) {
      secret
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface RotateDialogProps {
  readonly webhookId: string;
  readonly onClose: () => void;
}

/** Replaces the secret and shows the new one once; the old one signs for another day. */
export function RotateDialog({ webhookId, onClose }: RotateDialogProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const [secret, setSecret] = useState<string>();
  const { act, isRunning } = useAct(rotateDocument, { done: t('rotateDone') });
  async function rotate(): Promise<void> {
    const outcome = await act({ webhookId });
    if (outcome.ok) setSecret(outcome.data.rotateWebhookSecret.secret ?? undefined);
  }
  return (
    <Dialog
      onClose={isRunning ? undefined : onClose}
      title={t(secret ? 'rotateDone' : 'rotateTitle')}
      isKept={Boolean(secret)}
    >
      {secret ? (
        <ShownOnce label={t('secret')} secret={secret} about={t('secretAbout')} onClose={onClose} />
      ) : (
        <Stack>
          <Text size="sm">{t('rotateAbout')}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isRunning}>
              {c('act.cancel')}
            </Button>
            <Button loading={isRunning} onClick={() => void rotate()}>
              {t('rotate')}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
