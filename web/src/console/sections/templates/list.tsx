import { Anchor, Box, Button, Group, Select, Switch, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import { useCommonTexts } from '../../../common/i18n.js';
import { type Column, DataList } from '../../../common/ui/data-list.js';
import { useFilters } from '../../../common/ui/filters.js';
import { Page } from '../../../common/ui/page.js';
import { useAllPages } from '../../../common/ui/pages.js';
import { TypedInput } from '../../../common/ui/typed-input.js';
import type { Channel, ConsoleTemplatesQuery } from '../../../generated/graphql.js';
import { channels, useChannelChoices, useChannelName } from '../../channels.js';
import { TemplatesDocument } from './documents.js';
import { useTexts } from './texts.js';
import { pathOf } from './words.js';

type Version = NonNullable<ConsoleTemplatesQuery['templates']>['edges'][number]['node'];

/** A type of notification, with the version of each channel and language that counts. */
interface TypeRow {
  readonly type: string;
  readonly texts: readonly Version[];
}

export function TemplateList() {
  const t = useTexts();
  const channelName = useChannelName();
  const [filters, setFilters] = useFilters({ type: '', channel: '', language: '', all: '' });
  const {
    rows: versions,
    isComplete,
    error,
    retry,
    asked,
  } = useAllPages(
    TemplatesDocument,
    {
      filter: {
        activeOnly: filters.all === '',
        ...(filters.channel && { channel: filters.channel as Channel }),
        ...(filters.language && { language: filters.language }),
      },
    },
    ({ templates }) => templates,
  );
  const rows = byType(versions, filters.type);
  const columns: readonly Column<TypeRow>[] = [
    {
      key: 'type',
      header: t('list.type'),
      width: 'minmax(200px, 1.4fr)',
      render: ({ type, texts }) => (
        <>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {type}
          </Text>
          <Box hiddenFrom="sm">
            {channels
              .filter((channel) => texts.some((text) => text.channel === channel))
              .map((channel) => (
                <Group key={channel} gap={6}>
                  <Text size="xs" c="dimmed" w={84}>
                    {channelName(channel)}
                  </Text>
                  <Languages texts={texts} channel={channel} />
                </Group>
              ))}
          </Box>
        </>
      ),
    },
    ...channels.map((channel) => ({
      key: channel,
      header: channelName(channel),
      width: '1fr',
      isWideOnly: true,
      render: ({ texts }: TypeRow) => <Languages texts={texts} channel={channel} />,
    })),
  ];
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        <Button component={Link} to="/templates/new" leftSection={<Plus size={16} aria-hidden />}>
          {t('new.title')}
        </Button>
      }
    >
      <Filters filters={filters} set={setFilters} />
      <DataList
        asked={asked}
        label={t('title')}
        rows={rows}
        columns={columns}
        keyOf={({ type }) => type}
        isLoaded={isComplete || rows.length > 0}
        error={error}
        retry={retry}
        empty={{ title: t('list.empty'), help: t('list.emptyHelp') }}
      />
    </Page>
  );
}

function Languages({ texts, channel }: { readonly texts: readonly Version[]; readonly channel: Channel }) {
  const t = useTexts();
  const found = texts.filter((text) => text.channel === channel);
  if (found.length === 0) return <Text c="dimmed">–</Text>;
  return (
    <Group gap={8}>
      {found.map(({ id, language, version, isActive }) => (
        <Anchor
          key={id}
          component={Link}
          to={pathOf(id)}
          size="sm"
          underline="always"
          {...(!isActive && { c: 'dimmed' })}
        >
          {isActive ? language : t('list.inactive', { language })}{' '}
          <Text span size="xs" c="dimmed">
            v{version}
          </Text>
        </Anchor>
      ))}
    </Group>
  );
}

interface FiltersProps {
  readonly filters: Readonly<Record<'type' | 'channel' | 'language' | 'all', string>>;
  readonly set: (changes: Partial<Record<'type' | 'channel' | 'language' | 'all', string | null>>) => void;
}

function Filters({ filters, set }: FiltersProps) {
  const t = useTexts();
  const common = useCommonTexts();
  return (
    <Group align="flex-end" gap="sm" className="filters">
      <TypedInput label={t('list.type')} value={filters.type} onChange={(type) => set({ type })} />
      <Select
        label={t('list.channel')}
        placeholder={common('filter.any')}
        clearable
        clearButtonProps={{ 'aria-label': common('filter.clear') }}
        w={140}
        data={useChannelChoices()}
        value={filters.channel || null}
        onChange={(channel) => set({ channel })}
      />
      <TypedInput
        label={t('list.language')}
        placeholder={common('filter.any')}
        w={110}
        value={filters.language}
        onChange={(language) => set({ language })}
      />
      <Switch
        label={t('list.all')}
        mb={8}
        checked={filters.all !== ''}
        onChange={(event) => set({ all: event.currentTarget.checked ? 'yes' : '' })}
      />
    </Group>
  );
}

/** Of each channel and language the active version; where none is, the newest. */
function byType(versions: readonly Version[], searched: string): readonly TypeRow[] {
  const types = new Map<string, Map<string, Version>>();
  for (const version of versions) {
    const texts = types.get(version.notificationType) ?? new Map<string, Version>();
    types.set(version.notificationType, texts);
    const key = `${version.channel} ${version.language}`;
    const before = texts.get(key);
    const isBetter = !before || version.isActive || (!before.isActive && version.version > before.version);
    if (isBetter) texts.set(key, version);
  }
  return [...types]
    .filter(([type]) => type.toLowerCase().includes(searched.toLowerCase()))
    .map(([type, texts]) => ({ type, texts: [...texts.values()] }));
}
