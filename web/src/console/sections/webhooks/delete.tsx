import { useNavigate } from 'react-router';
import { client } from '../../../common/client.js';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { ConfirmDialog } from '../../../common/ui/confirm-dialog.js';
import type { WebhookRowFragment } from '../../../generated/graphql.js';
import { useTexts } from './texts.js';

const deleteDocument = graphql(/* GraphQL */ `
  mutation WebhookDelete($webhookId: ID!) {
    deleteWebhook(input: { webhookId: $webhookId }) {
      deletedId
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface DeleteDialogProps {
  readonly webhook: WebhookRowFragment;
  readonly onClose: () => void;
}

export function DeleteDialog({ webhook: { id, webhookId, url }, onClose }: DeleteDialogProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const navigate = useNavigate();
  const { act, isRunning } = useAct(deleteDocument, { done: t('deleteDone', { url }) });
  async function remove(): Promise<void> {
    const { ok } = await act({ webhookId });
    if (!ok) return;
    await navigate('/webhooks', { replace: true });
    client.cache.evict({ id: client.cache.identify({ __typename: 'Webhook', id })! });
    client.cache.gc();
  }
  return (
    <ConfirmDialog
      title={t('deleteTitle')}
      text={t('deleteAbout', { url })}
      confirm={c('act.delete')}
      isDangerous
      isRunning={isRunning}
      onClose={onClose}
      onConfirm={remove}
    />
  );
}
