import { useQuery } from '@apollo/client/react';
import { Alert, Button, Group, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { Loaded } from '../../../common/ui/states.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import type { DigestFrequency, PersonSettingsFragment } from '../../../generated/graphql.js';
import { isWithin, timeIn } from './quiet-hours.js';
import { useTexts } from './texts.js';

graphql(/* GraphQL */ `
  fragment PersonSettings on NotificationSettings {
    email
    phone
    language
    timezone
    quietHoursStart
    quietHoursEnd
    digestFrequency
    marketingOptIn
    updatedAt
  }
`);

const settingsDocument = graphql(/* GraphQL */ `
  query PersonSettingsPage($userId: ID!) {
    notificationPreferences(userId: $userId) {
      id
      settings {
        ...PersonSettings
      }
    }
  }
`);

const updateDocument = graphql(/* GraphQL */ `
  mutation PersonUpdateSettings($input: UpdateNotificationSettingsInput!) {
    updateNotificationSettings(input: $input) {
      preferences {
        id
        settings {
          ...PersonSettings
        }
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const FREQUENCIES = ['REALTIME', 'HOURLY', 'DAILY'] as const satisfies readonly DigestFrequency[];
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Their addresses, zone, quiet hours and digests; an admin may change them. */
export function Settings({ userId }: { readonly userId: string }) {
  const query = useQuery(settingsDocument, { variables: { userId } });
  return (
    <Loaded query={query}>
      {({ notificationPreferences }) =>
        notificationPreferences && (
          <Stack>
            <QuietNow settings={notificationPreferences.settings} />
            <SettingsForm userId={userId} settings={notificationPreferences.settings} />
          </Stack>
        )
      }
    </Loaded>
  );
}

interface OfSettings {
  readonly settings: PersonSettingsFragment;
}

function QuietNow({ settings: { timezone, quietHoursStart, quietHoursEnd } }: OfSettings) {
  const t = useTexts();
  const time = timeIn(timezone, new Date());
  if (!time) return null;
  const hours = quietHoursStart && quietHoursEnd ? { start: quietHoursStart, end: quietHoursEnd } : undefined;
  const isQuiet = hours !== undefined && isWithin(time, hours.start, hours.end);
  return (
    <Group gap="xs">
      <Status tone={isQuiet ? 'waits' : 'good'}>{t(isQuiet ? 'settings.quiet' : 'settings.awake')}</Status>
      <Text size="sm">
        {t('settings.localTime', { time, timezone })}{' '}
        {hours
          ? t('settings.hours', { start: hours.start.slice(0, 5), end: hours.end.slice(0, 5) })
          : t('settings.noHours')}
      </Text>
    </Group>
  );
}

function SettingsForm({ userId, settings }: OfSettings & { readonly userId: string }) {
  const t = useTexts();
  const c = useCommonTexts();
  const { act, isRunning, faults, faultAt } = useAct(updateDocument, { done: t('settings.done') });
  const form = useForm({ initialValues: valuesOf(settings) });
  const { isDirty, setInitialValues, setValues } = form;
  useEffect(() => {
    if (isDirty()) return;
    setInitialValues(valuesOf(settings));
    setValues(valuesOf(settings));
  }, [settings, isDirty, setInitialValues, setValues]);
  async function save(values: ReturnType<typeof valuesOf>): Promise<void> {
    const { email, phone, language, quietHoursStart, quietHoursEnd } = values;
    const texts = { email, phone, language, quietHoursStart, quietHoursEnd };
    const orNull = Object.fromEntries(
      Object.entries(texts).map(([name, value]) => [name, value.trim() || null]),
    ) as Record<keyof typeof texts, string | null>;
    // What was not touched may have been changed by the person meanwhile.
    const isQuietChanged = form.isDirty('quietHoursStart') || form.isDirty('quietHoursEnd');
    const changed = Object.entries({ ...values, ...orNull }).filter(([name]) =>
      name.startsWith('quietHours') ? isQuietChanged : form.isDirty(name),
    );
    const { ok } = await act({ input: { ...Object.fromEntries(changed), userId } });
    if (ok) form.resetDirty(values);
  }
  const text = (name: 'email' | 'phone' | 'language' | 'quietHoursStart' | 'quietHoursEnd') => ({
    label: t(`settings.${name}`),
    ...form.getInputProps(name),
    error: faultAt(name),
  });
  const withoutField = faults.filter(({ path }) => !path);
  return (
    <form onSubmit={form.onSubmit((values) => void save(values))}>
      <Stack maw={760}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput type="email" {...text('email')} />
          <TextInput type="tel" placeholder="+4915112345678" {...text('phone')} />
          <TextInput placeholder="pt-BR" {...text('language')} />
          <Select
            label={t('settings.timezone')}
            searchable
            allowDeselect={false}
            limit={60}
            data={ZONES.includes(settings.timezone) ? ZONES : [settings.timezone, ...ZONES]}
            {...form.getInputProps('timezone')}
            error={faultAt('timezone')}
          />
          <TextInput type="time" {...text('quietHoursStart')} />
          <TextInput type="time" {...text('quietHoursEnd')} />
          <Select
            label={t('settings.digestFrequency')}
            allowDeselect={false}
            data={FREQUENCIES.map((value) => ({ value, label: t(`settings.frequencies.${value}`) }))}
            {...form.getInputProps('digestFrequency')}
            error={faultAt('digestFrequency')}
          />
        </SimpleGrid>
        <Switch
          label={t('settings.marketingOptIn')}
          {...form.getInputProps('marketingOptIn', { type: 'checkbox' })}
        />
        {withoutField.map(({ message }) => (
          <Alert key={message} color="red" role="alert">
            {message}
          </Alert>
        ))}
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {settings.updatedAt ? (
              <>
                {t('settings.updatedAt')} <Time at={settings.updatedAt} relative />
              </>
            ) : (
              t('settings.untouched')
            )}
          </Text>
          <Button type="submit" loading={isRunning} disabled={!form.isDirty()}>
            {c('act.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const valuesOf = (settings: PersonSettingsFragment) => ({
  email: settings.email ?? '',
  phone: settings.phone ?? '',
  language: settings.language ?? '',
  timezone: settings.timezone,
  quietHoursStart: settings.quietHoursStart?.slice(0, 5) ?? '',
  quietHoursEnd: settings.quietHoursEnd?.slice(0, 5) ?? '',
  digestFrequency: settings.digestFrequency,
  marketingOptIn: settings.marketingOptIn,
});
