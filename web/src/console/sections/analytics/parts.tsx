import { useQuery } from '@apollo/client/react';
import { Anchor, Group, Paper, SegmentedControl, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useErrorText } from '../../../common/errors.js';
import type { Channel } from '../../../generated/graphql.js';
import type { ActiveTemplate } from '../../active-templates.js';
import { channels, useChannelName } from '../../channels.js';
import { AnalyticsPartDocument } from './documents.js';
import { type Filters, narrowed, type SetFilters } from './filters.js';
import { useFormats } from './formats.js';
import { type Span, timesOf } from './span.js';
import { useTexts } from './texts.js';

interface PartsProps {
  readonly filters: Filters;
  readonly set: SetFilters;
  readonly templates: readonly ActiveTemplate[];
  readonly span: Span;
}

interface Part {
  readonly label: string;
  /** The filters that show it alone. */
  readonly filters: Partial<Filters>;
}

const KINDS = ['channel', 'type', 'template'] as const;
/** Each row asks for its own figures. */
const MOST_ROWS = 40;

/** The same figures by channel, type or template; each row leads to itself alone. */
export function Parts({ filters, set, templates, span }: PartsProps) {
  const t = useTexts();
  const channelName = useChannelName();
  const by = KINDS.find((kind) => kind === filters.by) ?? 'channel';
  const parts = partsOf(by, filters, templates, channelName);
  return (
    <Paper withBorder p="md" component="section" aria-label={t('by.title')}>
      <Stack>
        <Group justify="space-between">
          <Title order={2}>{t('by.title')}</Title>
          <SegmentedControl
            aria-label={t('by.title')}
            value={by}
            onChange={(next) => set({ by: next })}
            data={KINDS.map((value) => ({ value, label: t(`by.${value}`) }))}
          />
        </Group>
        <Table.ScrollContainer minWidth={680} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t(`by.${by}`)}</Table.Th>
                {(['sent', 'delivered', 'opened', 'clicked'] as const).map((name) => (
                  <Table.Th key={name} ta="right">
                    {t(`count.${name}`)}
                  </Table.Th>
                ))}
                <Table.Th ta="right">{t('latency.p50')}</Table.Th>
                <Table.Th ta="right">{t('latency.p99')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {parts.slice(0, MOST_ROWS).map((part) => (
                <PartRow key={part.label} part={part} filters={filters} span={span} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {parts.length > MOST_ROWS && (
          <Text size="sm" c="dimmed">
            {t('by.more', { count: parts.length - MOST_ROWS })}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function PartRow({ part, filters, span }: Pick<PartsProps, 'filters' | 'span'> & { readonly part: Part }) {
  const { number, percent, duration } = useFormats();
  const errorText = useErrorText();
  const own = { ...filters, ...part.filters };
  const query = useQuery(AnalyticsPartDocument, { variables: { ...timesOf(span), ...narrowed(own) } });
  const found = (query.data ?? query.previousData)?.notificationAnalytics;
  const link = new URLSearchParams(
    Object.entries(own).filter(([name, value]) => value !== '' && !(name === 'span' && value === 'day')),
  );
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} miw={190}>
        <Anchor component={Link} to={`?${link}`} size="sm">
          {part.label}
        </Anchor>
      </Table.Th>
      {found ? (
        <>
          <Cell>{number(found.sent)}</Cell>
          <Cell beside={percent(found.deliveryRate)}>{number(found.delivered)}</Cell>
          <Cell beside={percent(found.openRate)}>{number(found.opened)}</Cell>
          <Cell beside={percent(found.clickRate)}>{number(found.clicked)}</Cell>
          <Cell>{duration(found.latencyMs.p50)}</Cell>
          <Cell>{duration(found.latencyMs.p99)}</Cell>
        </>
      ) : (
        <Table.Td colSpan={6}>
          {query.error ? <Text size="sm">{errorText(query.error).message}</Text> : <Skeleton height={18} />}
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function Cell({ children, beside }: { readonly children: string; readonly beside?: string }) {
  return (
    <Table.Td ta="right" className="numbers">
      {children}
      {beside && beside !== '–' && (
        <Text span size="xs" c="dimmed">
          {' '}
          {beside}
        </Text>
      )}
    </Table.Td>
  );
}

function partsOf(
  by: (typeof KINDS)[number],
  filters: Filters,
  templates: PartsProps['templates'],
  channelName: (channel: Channel) => string,
): readonly Part[] {
  if (by === 'channel')
    return channels
      .filter((channel) => !filters.channel || channel === filters.channel)
      .map((channel) => ({
        label: channelName(channel),
        filters: { channel },
      }));
  if (by === 'type')
    return [...new Set(templates.map(({ notificationType }) => notificationType))]
      .filter((type) => !filters.type || type === filters.type)
      .map((type) => ({ label: type, filters: { type } }));
  const ids = templates
    .filter(({ notificationType }) => !filters.type || notificationType === filters.type)
    .map(({ templateId }) => templateId);
  return [...new Set(ids)].map((template) => ({ label: template, filters: { template } }));
}
