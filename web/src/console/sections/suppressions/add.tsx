import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { Dialog } from '../../../common/ui/dialog.js';
import { useChannelName } from '../../channels.js';
import { useTexts } from './texts.js';

const addDocument = graphql(/* GraphQL */ `
  mutation SuppressionAdd($input: AddSuppressionInput!) {
    addSuppression(input: $input) {
      suppression {
        ...SuppressionRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface AddDialogProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function AddDialog({ onClose, onDone }: AddDialogProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const channelName = useChannelName();
  const { act, isRunning, faultAt } = useAct(addDocument, {
    done: ({ addSuppression: { suppression } }) => t('added', { address: suppression?.address ?? '' }),
  });
  const form = useForm({ initialValues: { channel: 'EMAIL' as 'EMAIL' | 'SMS', address: '', note: '' } });
  async function add({ channel, address, note }: typeof form.values): Promise<void> {
    const { ok } = await act({ input: { channel, address: address.trim(), note: note.trim() || null } });
    if (!ok) return;
    onDone();
    onClose();
  }
  return (
    <Dialog onClose={onClose} title={t('addTitle')}>
      <form onSubmit={form.onSubmit((values) => void add(values))}>
        <Stack>
          <Text size="sm">{t('addAbout')}</Text>
          <Select
            label={t('channel')}
            allowDeselect={false}
            data={[
              { value: 'EMAIL', label: channelName('EMAIL') },
              { value: 'SMS', label: channelName('SMS') },
            ]}
            {...form.getInputProps('channel')}
            error={faultAt('channel')}
          />
          <TextInput
            label={t('address')}
            placeholder={form.values.channel === 'EMAIL' ? 'name@example.com' : '+4915112345678'}
            required
            data-autofocus
            {...form.getInputProps('address')}
            error={faultAt('address')}
          />
          <Textarea
            label={t('addNote')}
            maxLength={500}
            autosize
            minRows={2}
            {...form.getInputProps('note')}
            error={faultAt('note')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c('act.cancel')}
            </Button>
            <Button type="submit" loading={isRunning}>
              {t('add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
