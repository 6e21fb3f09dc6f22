import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { Dialog } from '../../../common/ui/dialog.js';
import type { WebhookRowFragment } from '../../../generated/graphql.js';
import { Fields, type WebhookValues } from './fields.js';
import { useTexts } from './texts.js';

export const updateDocument = graphql(/* GraphQL */ `
  mutation WebhookUpdate($input: UpdateWebhookInput!) {
    updateWebhook(input: $input) {
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

interface ChangeDialogProps {
  readonly webhook: WebhookRowFragment;
  readonly onClose: () => void;
}

export function ChangeDialog({ webhook, onClose }: ChangeDialogProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const { webhookId, url, eventTypes, notificationTypes } = webhook;
  const { act, isRunning, faultAt } = useAct(updateDocument, { done: t('changeDone') });
  const form = useForm<WebhookValues>({
    initialValues: { url, eventTypes: [...eventTypes], notificationTypes: [...notificationTypes] },
  });
  async function save(values: WebhookValues): Promise<void> {
    const { ok } = await act({ input: { ...values, url: values.url.trim(), webhookId } });
    if (ok) onClose();
  }
  return (
    <Dialog onClose={onClose} title={t('changeTitle')}>
      <form onSubmit={form.onSubmit((values) => void save(values))}>
        <Stack>
          <Fields form={form} faultAt={faultAt} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c('act.cancel')}
            </Button>
            <Button type="submit" loading={isRunning}>
              {c('act.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
