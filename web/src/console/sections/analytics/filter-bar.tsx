import { Button, Group, NativeSelect, Select } from '@mantine/core';
import { useCommonTexts } from '../../../common/i18n.js';
import { MomentInput } from '../../../common/ui/typed-input.js';
import type { ActiveTemplate } from '../../active-templates.js';
import { useChannelChoices } from '../../channels.js';
import type { Filters, SetFilters } from './filters.js';
import { comparisons, spans } from './span.js';
import { useTexts } from './texts.js';

interface FilterBarProps {
  readonly filters: Filters;
  readonly set: SetFilters;
  readonly templates: readonly ActiveTemplate[];
}

export function FilterBar({ filters, set, templates }: FilterBarProps) {
  const t = useTexts();
  const common = useCommonTexts();
  const any = { value: '', label: common('filter.any') };
  const clearButtonProps = { 'aria-label': common('filter.clear') };
  const isNarrowed = [filters.channel, filters.type, filters.template, filters.priority].some(Boolean);
  const types = [...new Set(templates.map(({ notificationType }) => notificationType))];
  const offered = templates.filter(
    ({ notificationType, channel }) =>
      (!filters.type || notificationType === filters.type) &&
      (!filters.channel || channel === filters.channel),
  );
  return (
    <Group align="flex-end" gap="sm" className="filters">
      <NativeSelect
        label={t('span.label')}
        value={filters.span}
        onChange={(event) => set({ span: event.currentTarget.value })}
        data={spans.map((value) => ({ value, label: t(`span.${value}`) }))}
      />
      {filters.span === 'custom' && (
        <>
          <MomentInput label={t('span.from')} value={filters.from} onChange={(from) => set({ from })} />
          <MomentInput label={t('span.to')} value={filters.to} onChange={(to) => set({ to })} />
        </>
      )}
      <NativeSelect
        label={t('compare.label')}
        value={filters.compare}
        onChange={(event) => set({ compare: event.currentTarget.value })}
        data={comparisons.map((value) => ({ value, label: t(`compare.${value}`) }))}
      />
      <NativeSelect
        label={t('by.channel')}
        value={filters.channel}
        onChange={(event) => set({ channel: event.currentTarget.value, template: '' })}
        data={[any, ...useChannelChoices()]}
      />
      <Select
        label={t('by.type')}
        placeholder={common('filter.any')}
        searchable
        clearable
        clearButtonProps={clearButtonProps}
        w={220}
        data={withChosen(types, filters.type)}
        value={filters.type || null}
        onChange={(type) => set({ type, template: '' })}
      />
      <Select
        label={t('by.template')}
        placeholder={common('filter.any')}
        searchable
        clearable
        clearButtonProps={clearButtonProps}
        w={260}
        limit={100}
        data={withChosen([...new Set(offered.map(({ templateId }) => templateId))], filters.template)}
        value={filters.template || null}
        onChange={(template) => set({ template })}
      />
      <NativeSelect
        label={t('priority.label')}
        value={filters.priority}
        onChange={(event) => set({ priority: event.currentTarget.value })}
        data={[
          any,
          ...(['HIGH', 'MEDIUM', 'LOW'] as const).map((value) => ({ value, label: t(`priority.${value}`) })),
        ]}
      />
      {isNarrowed && (
        <Button variant="subtle" onClick={() => set({ channel: '', type: '', template: '', priority: '' })}>
          {common('filter.clear')}
        </Button>
      )}
    </Group>
  );
}

/** What a link names may be gone from the list, and is shown all the same. */
const withChosen = (names: readonly string[], chosen: string): string[] =>
  chosen === '' || names.includes(chosen) ? [...names] : [chosen, ...names];
