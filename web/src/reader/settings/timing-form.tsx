import { Button, Group, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useCommonTexts } from '../../common/i18n.js';
import { useAct } from '../../common/ui/act.js';
import type { DigestFrequency, ReaderPreferencesQuery } from '../../generated/graphql.js';
import { useReaderTexts } from '../texts.js';
import { UpdateSettings } from './queries.js';

type Settings = NonNullable<ReaderPreferencesQuery['notificationPreferences']>['settings'];

const FREQUENCIES = ['REALTIME', 'HOURLY', 'DAILY'] as const satisfies DigestFrequency[];
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** Quiet hours, digests, and where mails and texts go. */
export function TimingForm({ settings }: { readonly settings: Settings }) {
  const t = useReaderTexts();
  const c = useCommonTexts();
  // What was not touched follows what the server says.
  const [touched, setTouched] = useState<Partial<ReturnType<typeof editable>>>({});
  const values = { ...editable(settings), ...touched };
  const { act, isRunning, faultAt } = useAct(UpdateSettings, { done: t('settings.saved') });
  const change = (changes: Partial<typeof values>) => setTouched((before) => ({ ...before, ...changes }));
  const zones = [...new Set([values.timezone, ...ZONES])];

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const { hasQuietHours, start, end, email, phone, ...others } = values;
    const { ok } = await act({
      input: {
        ...others,
        email: email.trim() || null,
        phone: phone.trim() || null,
        quietHoursStart: hasQuietHours ? start : null,
        quietHoursEnd: hasQuietHours ? end : null,
      },
    });
    // What was touched while it was being saved stays.
    if (ok)
      setTouched((now) =>
        Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== touched[name as 'start'])),
      );
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Switch
          label={t('settings.timing.quiet')}
          description={t('settings.timing.quietHelp')}
          checked={values.hasQuietHours}
          onChange={(event) => change({ hasQuietHours: event.currentTarget.checked })}
        />
        {values.hasQuietHours && (
          <SimpleGrid cols={2}>
            <TextInput
              type="time"
              label={t('settings.timing.from')}
              value={values.start}
              required
              error={faultAt('quietHoursStart')}
              onChange={(event) => change({ start: event.currentTarget.value })}
            />
            <TextInput
              type="time"
              label={t('settings.timing.to')}
              value={values.end}
              required
              error={faultAt('quietHoursEnd')}
              onChange={(event) => change({ end: event.currentTarget.value })}
            />
          </SimpleGrid>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label={t('settings.timing.zone')}
            searchable
            allowDeselect={false}
            limit={60}
            data={zones}
            value={values.timezone}
            error={faultAt('timezone')}
            onChange={(timezone) => timezone && change({ timezone })}
          />
          <Select
            label={t('settings.timing.digest')}
            allowDeselect={false}
            data={FREQUENCIES.map((value) => ({ value, label: t(`settings.timing.${value}`) }))}
            value={values.digestFrequency}
            error={faultAt('digestFrequency')}
            onChange={(value) => value && change({ digestFrequency: value as DigestFrequency })}
          />
          <TextInput
            type="email"
            label={t('settings.timing.email')}
            autoComplete="email"
            value={values.email}
            error={faultAt('email')}
            onChange={(event) => change({ email: event.currentTarget.value })}
          />
          <TextInput
            type="tel"
            label={t('settings.timing.phone')}
            placeholder="+4915112345678"
            autoComplete="tel"
            value={values.phone}
            error={faultAt('phone')}
            onChange={(event) => change({ phone: event.currentTarget.value })}
          />
        </SimpleGrid>
        <Switch
          label={t('settings.timing.marketing')}
          checked={values.marketingOptIn}
          onChange={(event) => change({ marketingOptIn: event.currentTarget.checked })}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isRunning}>
            {c('act.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const editable = (settings: Settings) => ({
  hasQuietHours: Boolean(settings.quietHoursStart),
  start: settings.quietHoursStart?.slice(0, 5) ?? '22:00',
  end: settings.quietHoursEnd?.slice(0, 5) ?? '07:00',
  timezone: settings.timezone,
  digestFrequency: settings.digestFrequency,
  marketingOptIn: settings.marketingOptIn,
  email: settings.email ?? '',
  phone: settings.phone ?? '',
});
