import { Autocomplete, Button, Group, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommonTexts } from '../../../common/i18n.js';
import { useTyped } from '../../../common/ui/typed.js';
import { MomentInput, TypedInput } from '../../../common/ui/typed-input.js';
import { useChannelChoices } from '../../channels.js';
import { type FilterName, type Filters, timesWithin } from './filters.js';
import { useTexts } from './texts.js';
import { knownTypes } from './words.js';

interface FilterBarProps {
  readonly filters: Filters;
  readonly set: (changes: Partial<Record<FilterName, string | null>>) => void;
  readonly statuses: readonly { readonly value: string; readonly label: string }[];
  /** The list can be searched by text and producer; others, by the id of a notification alone. */
  readonly isSearch?: boolean;
  readonly children?: ReactNode;
}

/** What narrows a list; each is kept in the URL. */
export function FilterBar({ filters, set, statuses, isSearch = false, children }: FilterBarProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const isNarrowed = Object.values(filters).some(Boolean);
  return (
    <Group gap="xs" align="flex-end" role="search" className="filters">
      <TypedInput
        label={t(isSearch ? 'filter.search' : 'filter.id')}
        {...(isSearch && { placeholder: t('filter.searchHelp') })}
        value={filters.search}
        onChange={(search) => set({ search })}
        w={{ base: '100%', sm: 240 }}
      />
      <TypedInput
        label={t('filter.user')}
        value={filters.user}
        onChange={(user) => set({ user })}
        w={{ base: '100%', xs: 120 }}
      />
      <Select
        label={t('filter.channel')}
        placeholder={c('filter.any')}
        clearable
        w={115}
        data={useChannelChoices()}
        value={filters.channel || null}
        onChange={(channel) => set({ channel })}
      />
      <Select
        label={t('filter.status')}
        placeholder={c('filter.any')}
        clearable
        w={140}
        data={[...statuses]}
        value={filters.status || null}
        onChange={(status) => set({ status })}
      />
      <TypeInput value={filters.type} onChange={(type) => set({ type })} />
      {isSearch && (
        <TypedInput
          label={t('filter.producer')}
          value={filters.producer}
          onChange={(producer) => set({ producer })}
          w={110}
        />
      )}
      <Select
        label={t('filter.time')}
        placeholder={c('filter.any')}
        clearable
        w={140}
        data={timesWithin.map((value) => ({ value, label: t(`filter.within.${value}`) }))}
        value={filters.time || null}
        onChange={(time) => set({ time, ...(time !== 'span' && { from: null, to: null }) })}
      />
      {filters.time === 'span' && (
        <>
          <MomentInput
            label={t('filter.from')}
            w={200}
            value={filters.from}
            onChange={(from) => set({ from })}
          />
          <MomentInput label={t('filter.to')} w={200} value={filters.to} onChange={(to) => set({ to })} />
        </>
      )}
      {isNarrowed && (
        <Button
          variant="subtle"
          onClick={() =>
            set(
              Object.fromEntries(Object.keys(filters).map((name) => [name, null])) as Record<
                FilterName,
                null
              >,
            )
          }
        >
          {c('filter.clear')}
        </Button>
      )}
      {children}
    </Group>
  );
}

interface TypeInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TypeInput({ value, onChange }: TypeInputProps) {
  const t = useTexts();
  const [text, type, settle] = useTyped(value, onChange);
  return (
    <Autocomplete
      label={t('filter.type')}
      w={170}
      data={knownTypes}
      value={text}
      onChange={type}
      onBlur={settle}
    />
  );
}
