import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { Dialog } from '../../../common/ui/dialog.js';
import type { SuppressionRowFragment } from '../../../generated/graphql.js';
import { useChannelName } from '../../channels.js';
import { useTexts } from './texts.js';

const removeDocument = graphql(/* GraphQL */ `
  mutation SuppressionRemove($channel: Channel!, $address: String!, $note: String!) {
    removeSuppression(input: { channel: $channel, address: $address, note: $note }) {
      deletedId
      removed
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface RemoveDialogProps {
  readonly suppression: SuppressionRowFragment;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks why an address may be sent to again; the answer is kept for a year. */
export function RemoveDialog({ suppression, onClose, onDone }: RemoveDialogProps) {
  const t = useTexts();
  const channelName = useChannelName();
  const c = useCommonTexts();
  const { address, channel, cause } = suppression;
  const { act, isRunning, faultAt } = useAct(removeDocument, { done: t('removed', { address }) });
  const form = useForm({ initialValues: { note: '' } });
  async function remove({ note }: { readonly note: string }): Promise<void> {
    const { ok } = await act({ channel, address, note });
    if (!ok) return;
    onDone();
    onClose();
  }
  return (
    <Dialog onClose={onClose} title={t('removeTitle')}>
      <form onSubmit={form.onSubmit((values) => void remove(values))}>
        <Stack>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('removeAbout', { address, channel: channelName(channel) })}
          </Text>
          <Text size="sm" c="dimmed">
            {t(`about_cause.${cause}`)}
          </Text>
          <Textarea
            label={t('removeNote')}
            description={t('removeNoteHelp')}
            required
            maxLength={500}
            autosize
            minRows={2}
            data-autofocus
            {...form.getInputProps('note')}
            error={faultAt('note')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c('act.cancel')}
            </Button>
            <Button type="submit" color="red.9" loading={isRunning}>
              {t('remove')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
