import { Autocomplete, Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { useCommonTexts } from '../../../common/i18n.js';
import { usePreviewTexts } from '../../preview/index.js';
import { type FilterName, type Filters, timesWithin } from './filters.js';
import { useTexts } from './texts.js';
import { channels, knownTypes } from './words.js';

interface FilterBarProps {
  readonly filters: Filters;
  readonly set: (changes: Partial<Record<FilterName, string | null>>) => void;
  readonly statuses: readonly { readonly value: string; readonly label: string }[];
  /** Only those of a list that can be searched by text and producer. */
  readonly isSearch?: boolean;
  readonly children?: ReactNode;
}

const TYPING_MS = 300;

/** What narrows a list; each is kept in the URL. */
export function FilterBar({ filters, set, statuses, isSearch = false, children }: FilterBarProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const p = usePreviewTexts();
  const isNarrowed = Object.values(filters).some(Boolean);
  return (
    <Group gap="xs" align="flex-end" role="search" className="filters">
      {isSearch && (
        <Typed
          label={t('filter.search')}
          placeholder={t('filter.searchHelp')}
          value={filters.search}
          onChange={(search) => set({ search })}
          w={{ base: '100%', sm: 240 }}
        />
      )}
      <Typed
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
        data={channels.map((value) => ({ value, label: p(`channel.${value}`) }))}
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
        <Typed
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
          <Moment label={t('filter.from')} value={filters.from} onChange={(from) => set({ from })} />
          <Moment label={t('filter.to')} value={filters.to} onChange={(to) => set({ to })} />
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

interface TypedProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly w?: React.ComponentProps<typeof TextInput>['w'];
}

/** What is typed narrows the list once the typing rests. */
function Typed({ label, value, onChange, placeholder, w }: TypedProps) {
  const [text, type] = useTyped(value, onChange);
  return (
    <TextInput
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      {...(w !== undefined && { w })}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

function TypeInput({ value, onChange }: Pick<TypedProps, 'value' | 'onChange'>) {
  const t = useTexts();
  const [text, type] = useTyped(value, onChange);
  return <Autocomplete label={t('filter.type')} w={170} data={knownTypes} value={text} onChange={type} />;
}

function useTyped(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const later = useDebouncedCallback((next: string) => onChange(next.trim()), TYPING_MS);
  const type = (next: string): void => {
    setText(next);
    later(next);
  };
  return [text, type] as const;
}

/** A moment in the viewer's zone; in the URL it stands in UTC. */
function Moment({ label, value, onChange }: Pick<TypedProps, 'label' | 'value' | 'onChange'>) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      w={200}
      value={toLocal(value)}
      onChange={(event) => {
        const date = new Date(event.currentTarget.value);
        onChange(Number.isNaN(date.getTime()) ? '' : date.toISOString());
      }}
    />
  );
}

function toLocal(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
