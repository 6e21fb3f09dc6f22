import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { Dialog } from '../../../common/ui/dialog.js';
import { localTime } from '../../../common/ui/local-time.js';
import { useTexts } from './texts.js';

export const replayDocument = graphql(/* GraphQL */ `
  mutation WebhookReplay($input: ReplayWebhookInput!) {
    replayWebhook(input: $input) {
      queued
      nextSince
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface ReplayDialogProps {
  readonly webhookId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Sends again what was queued since a time; the rest of more than 10,000 is asked for by the next click. */
export function ReplayDialog({ webhookId, onClose, onDone }: ReplayDialogProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const { act, isRunning, faultAt } = useAct(replayDocument, {
    done: ({ replayWebhook: { queued } }) => t('replayed', { count: queued }),
  });
  const form = useForm({
    initialValues: { since: localTime(new Date(Date.now() - 3_600_000), { withSeconds: true }) },
  });
  // The field has seconds alone: a second with more than 10,000 events would come again and again.
  const [rest, setRest] = useState<{ readonly shown: string; readonly from: string } | null>(null);
  async function replay({ since }: { readonly since: string }): Promise<void> {
    const at = new Date(since);
    if (Number.isNaN(at.getTime())) return form.setFieldError('since', t('sinceMalformed'));
    const from = since === rest?.shown ? rest.from : at.toISOString();
    const outcome = await act({ input: { webhookId, since: from } });
    if (!outcome.ok) return;
    onDone();
    const { nextSince } = outcome.data.replayWebhook;
    if (!nextSince) return onClose();
    const shown = localTime(nextSince, { withSeconds: true });
    setRest({ shown, from: nextSince });
    form.setValues({ since: shown });
    form.setFieldError('since', t('replayMore'));
  }
  return (
    <Dialog onClose={onClose} title={t('replayTitle')}>
      <form onSubmit={form.onSubmit((values) => void replay(values))}>
        <Stack>
          <Text size="sm">{t('replayAbout')}</Text>
          <TextInput
            type="datetime-local"
            step={1}
            label={t('since')}
            required
            data-autofocus
            {...form.getInputProps('since')}
            error={form.errors.since ?? faultAt('since')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c('act.cancel')}
            </Button>
            <Button type="submit" loading={isRunning}>
              {t('replay')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
