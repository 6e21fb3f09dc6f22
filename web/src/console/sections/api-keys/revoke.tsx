import { Text } from '@mantine/core';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { ConfirmDialog } from '../../../common/ui/confirm-dialog.js';
import { Time } from '../../../common/ui/time.js';
import type { ApiKeyRowFragment } from '../../../generated/graphql.js';
import { useTexts } from './texts.js';

const revokeDocument = graphql(/* GraphQL */ `
  mutation ApiKeyRevoke($apiKeyId: ID!) {
    revokeApiKey(input: { apiKeyId: $apiKeyId }) {
      apiKey {
        ...ApiKeyRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface RevokeDialogProps {
  readonly apiKey: ApiKeyRowFragment;
  readonly onClose: () => void;
}

export function RevokeDialog({ apiKey: { apiKeyId, name, userId, lastUsedAt }, onClose }: RevokeDialogProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const shown = name ?? apiKeyId;
  const { act, isRunning } = useAct(revokeDocument, { done: t('revokeDone', { name: shown }) });
  async function revoke(): Promise<void> {
    const { ok } = await act({ apiKeyId });
    if (ok) onClose();
  }
  return (
    <ConfirmDialog
      title={t('revokeTitle', { name: shown })}
      text={t('revokeAbout', { user: userId })}
      confirm={t('revoke')}
      isDangerous
      isRunning={isRunning}
      onClose={onClose}
      onConfirm={revoke}
    >
      <Text size="sm" c="dimmed">
        {t('used')}: {lastUsedAt ? <Time at={lastUsedAt} relative /> : c('never')}
      </Text>
    </ConfirmDialog>
  );
}
