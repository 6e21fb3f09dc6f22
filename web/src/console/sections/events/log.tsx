import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Pause, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { DataList } from '../../../common/ui/data-list.js';
import { useFilters } from '../../../common/ui/filters.js';
import { usePages } from '../../../common/ui/pages.js';
import { eventLink, useEventColumns } from './event-columns.js';
import { type EventFilters, useLiveEvents } from './live-events.js';
import { useTexts } from './texts.js';

const NOTHING = { streamId: '', correlationId: '', fromPosition: '' };

/** The log: its newest events as they come, or what follows a position. */
export function Log() {
  const [filters, set] = useFilters(NOTHING);
  return (
    <Stack>
      <Filters values={filters} onChange={set} />
      {filters.fromPosition ? (
        <FromPosition {...filters} />
      ) : (
        <Live key={`${filters.streamId} ${filters.correlationId}`} {...filters} />
      )}
    </Stack>
  );
}

interface FiltersProps {
  readonly values: Readonly<typeof NOTHING>;
  readonly onChange: (values: typeof NOTHING, options: { readonly replace: boolean }) => void;
}

function Filters({ values, onChange }: FiltersProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const form = useForm({
    initialValues: { ...values },
    validate: {
      fromPosition: (value) => (value === '' || /^\d{1,18}$/.test(value) ? null : t('log.positionFault')),
    },
  });
  const { setValues } = form;
  useEffect(() => setValues({ ...values }), [values, setValues]);
  return (
    <form onSubmit={form.onSubmit((entered) => onChange(entered, { replace: false }))}>
      <Group align="flex-start" gap="sm">
        <TextInput
          label={t('event.stream')}
          placeholder="Order-order-0600"
          flex="1 1 12rem"
          {...form.getInputProps('streamId')}
        />
        <TextInput label={t('event.correlation')} flex="1 1 12rem" {...form.getInputProps('correlationId')} />
        <TextInput
          label={t('log.fromPosition')}
          inputMode="numeric"
          flex="0 1 9rem"
          {...form.getInputProps('fromPosition')}
        />
        <Group gap="xs" mt={25}>
          <Button type="submit">{c('filter.search')}</Button>
          <Button variant="default" onClick={() => onChange(NOTHING, { replace: false })}>
            {c('filter.clear')}
          </Button>
        </Group>
      </Group>
    </form>
  );
}

function Live(filters: EventFilters) {
  const t = useTexts();
  const columns = useEventColumns();
  const [isPaused, setPaused] = useState(false);
  const live = useLiveEvents(filters, isPaused);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? t('log.resume') : t('log.pause')}
          </Button>
          <Text size="sm" c="dimmed">
            {isPaused ? t('log.paused') : t('log.live')}
          </Text>
        </Group>
        <CopyAs document={live.document} variables={live.variables} />
      </Group>
      <DataList
        label={t('log.title')}
        {...live.list}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={eventLink}
        empty={{ title: t('log.none'), help: t('log.noneHelp') }}
      />
    </Stack>
  );
}

const fromDocument = graphql(/* GraphQL */ `
  query LoggedEventsFrom($streamId: String, $correlationId: String, $fromPosition: String!, $after: String) {
    events(
      streamId: $streamId
      correlationId: $correlationId
      fromPosition: $fromPosition
      first: 50
      after: $after
    ) {
      edges {
        cursor
        node {
          ...LoggedEvent
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

function FromPosition({ streamId, correlationId, fromPosition }: typeof NOTHING) {
  const t = useTexts();
  const columns = useEventColumns();
  const variables = { streamId: streamId || null, correlationId: correlationId || null, fromPosition };
  const pages = usePages(fromDocument, variables, ({ events }) => events);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('log.oldestFirst')}
        </Text>
        <CopyAs document={fromDocument} variables={variables} />
      </Group>
      <DataList
        label={t('log.title')}
        {...pages.list}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={eventLink}
        empty={{ title: t('log.none'), help: t('log.noneHelp') }}
      />
    </Stack>
  );
}
