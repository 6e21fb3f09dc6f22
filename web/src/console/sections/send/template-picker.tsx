import { Select, Text } from '@mantine/core';
import type { ActiveTemplate } from '../../active-templates.js';
import { useChannelName } from '../../channels.js';
import { useTexts } from './texts.js';

interface TemplatePickerProps {
  readonly templates: readonly ActiveTemplate[];
  readonly value: string;
  readonly onChange: (templateId: string | null) => void;
  readonly error: string | undefined;
}

/** Templates by type; the one that is picked is what the preview begins with. */
export function TemplatePicker({ templates, value, onChange, error }: TemplatePickerProps) {
  const t = useTexts();
  const channelName = useChannelName();
  const byType = Map.groupBy(templates, ({ notificationType }) => notificationType);
  const groups = [...byType].map(([group, ofType]) => ({
    group,
    items: ofType.map(({ templateId, channel, language }) => ({
      value: templateId,
      label: `${group} · ${channelName(channel)} · ${language}`,
    })),
  }));
  return (
    <Select
      label={t('template.label')}
      description={t('template.help')}
      placeholder={t('template.placeholder')}
      required
      searchable
      clearable
      maxDropdownHeight={360}
      nothingFoundMessage={<Text size="sm">{t('template.nothing')}</Text>}
      data={groups}
      value={value || null}
      error={error}
      onChange={onChange}
    />
  );
}
