import { Button, Group, Stack, Text } from '@mantine/core';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { Dialog } from '../../../common/ui/dialog.js';
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
    <Dialog onClose={onClose} title={t('revokeTitle', { name: shown })}>
      <Stack>
        <Text size="sm">{t('revokeAbout', { user: userId })}</Text>
        <Text size="sm" c="dimmed">
          {t('used')}: {lastUsedAt ? <Time at={lastUsedAt} relative /> : c('never')}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {c('act.cancel')}
          </Button>
          <Button color="red.9" loading={isRunning} onClick={() => void revoke()}>
            {t('revoke')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
