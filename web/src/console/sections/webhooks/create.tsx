import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { Dialog } from '../../../common/ui/dialog.js';
import { ShownOnce } from '../../shown-once.js';
import { Fields, type WebhookValues } from './fields.js';
import { useTexts } from './texts.js';

const createDocument = graphql(/* GraphQL */ `
  mutation WebhookCreate($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      secret
      webhook {
        ...WebhookRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface CreateDialogProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Makes a webhook and shows its secret once. */
export function CreateDialog({ onClose, onDone }: CreateDialogProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const [secret, setSecret] = useState<string>();
  const { act, isRunning, faultAt } = useAct(createDocument, { done: t('createDone') });
  const form = useForm<WebhookValues>({
    initialValues: { url: '', eventTypes: ['SENT', 'DELIVERED', 'FAILED'], notificationTypes: [] },
  });
  async function create(values: WebhookValues): Promise<void> {
    const outcome = await act({ input: { ...values, url: values.url.trim() } });
    if (!outcome.ok) return;
    setSecret(outcome.data.createWebhook.secret ?? undefined);
    onDone();
  }
  return (
    <Dialog
      onClose={isRunning ? undefined : onClose}
      title={t(secret ? 'createdTitle' : 'createTitle')}
      isKept={Boolean(secret)}
    >
      {secret ? (
        <ShownOnce label={t('secret')} secret={secret} about={t('secretAbout')} onClose={onClose} />
      ) : (
        <form onSubmit={form.onSubmit((values) => void create(values))}>
          <Stack>
            <Fields form={form} faultAt={faultAt} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose} disabled={isRunning}>
                {c('act.cancel')}
              </Button>
              <Button type="submit" loading={isRunning}>
                {t('create')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
