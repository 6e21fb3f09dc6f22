import { Checkbox, MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useCommonTexts } from '../../../common/i18n.js';
import { type Channel, useChannelChoices } from '../../channels.js';
import type { Draft } from './draft.js';
import { useTexts } from './texts.js';

interface OptionsProps {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly faultOf: (field: string) => string | undefined;
}

/** When and how it is sent, where that is not as usual. */
export function Options({ draft, change, faultOf }: OptionsProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const names = useChannelChoices();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <MultiSelect
        label={t('options.channels')}
        description={t('options.channelsHelp')}
        placeholder={draft.channels.length === 0 ? t('options.channelsUsual') : ''}
        data={names}
        error={faultOf('channels')}
        value={[...draft.channels]}
        onChange={(value) => change({ channels: value as Channel[] })}
        clearable
      />
      <MultiSelect
        label={t('options.fallback')}
        description={t('options.fallbackHelp')}
        placeholder={draft.fallbackChannels.length === 0 ? c('none') : ''}
        data={names}
        error={faultOf('fallbackChannels')}
        value={[...draft.fallbackChannels]}
        onChange={(value) => change({ fallbackChannels: value as Channel[] })}
        clearable
      />
      <Select
        label={t('options.priority')}
        placeholder={t('options.priorityUsual')}
        clearable
        data={(['HIGH', 'MEDIUM', 'LOW'] as const).map((value) => ({
          value,
          label: t(`priority.${value}`),
        }))}
        value={draft.priority}
        onChange={(priority) => change({ priority: priority as Draft['priority'] })}
      />
      <TextInput
        label={t('options.id')}
        error={faultOf('notificationId')}
        value={draft.notificationId}
        maxLength={64}
        onChange={(event) => change({ notificationId: event.currentTarget.value })}
      />
      <div>
        <TextInput
          type="datetime-local"
          label={t('options.scheduleAt')}
          error={faultOf('scheduleAt')}
          value={draft.scheduleAt}
          onChange={(event) => change({ scheduleAt: event.currentTarget.value })}
        />
        <Checkbox
          mt="xs"
          label={t('options.localTime')}
          checked={draft.isLocalTime}
          disabled={!draft.scheduleAt}
          onChange={(event) => change({ isLocalTime: event.currentTarget.checked })}
        />
      </div>
      <TextInput
        type="datetime-local"
        label={t('options.expiresAt')}
        error={faultOf('expiresAt')}
        value={draft.expiresAt}
        onChange={(event) => change({ expiresAt: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}
