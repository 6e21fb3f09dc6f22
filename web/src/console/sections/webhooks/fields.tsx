import { TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useIsAdmin } from '../../../common/session.js';
import { useTexts } from './texts.js';

export interface WebhookValues {
  readonly url: string;
  readonly eventTypes: string[];
  readonly notificationTypes: string[];
}

const LIFECYCLE = [
  'CREATED',
  'QUEUED',
  'SCHEDULED',
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'DISMISSED',
  'UNSUBSCRIBED',
  'SUPPRESSED',
  'RETRY',
  'FAILED',
  'DLQ',
  'CANCELLED',
  'EXPIRED',
  'VALIDATED',
  'PREFERENCE_CHECKED',
  'RENDERED',
];

interface FieldsProps {
  readonly form: UseFormReturnType<WebhookValues>;
  readonly faultAt: (field: string) => string | undefined;
}

/** What a webhook is made of, as it is created and changed. */
export function Fields({ form, faultAt }: FieldsProps) {
  const t = useTexts();
  const isAdmin = useIsAdmin();
  return (
    <>
      <TextInput
        type="url"
        label={t('url')}
        description={t('urlHelp')}
        placeholder="https://hooks.example.com/tidings"
        required
        data-autofocus
        {...form.getInputProps('url')}
        error={faultAt('url')}
      />
      <TagsInput
        label={t('events')}
        description={t(isAdmin ? 'eventsHelpAdmin' : 'eventsHelp')}
        required
        data={LIFECYCLE}
        splitChars={[',', ' ', '\n']}
        comboboxProps={{ withinPortal: true }}
        maxDropdownHeight={220}
        {...form.getInputProps('eventTypes')}
        error={faultAt('eventTypes')}
      />
      <TagsInput
        label={t('kinds')}
        description={t('kindsHelp')}
        splitChars={[',', ' ', '\n']}
        {...form.getInputProps('notificationTypes')}
        error={faultAt('notificationTypes')}
      />
    </>
  );
}
