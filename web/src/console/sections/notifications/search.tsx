import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useCommonTexts } from '../../../common/i18n.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { type Column, DataList } from '../../../common/ui/data-list.js';
import { Page } from '../../../common/ui/page.js';
import { usePages } from '../../../common/ui/pages.js';
import { Time } from '../../../common/ui/time.js';
import type { SearchDeliveriesQuery } from '../../../generated/graphql.js';
import { channels, useChannelName } from '../../channels.js';
import { Backlog } from './backlog.js';
import { DeliveryState } from './delivery-state.js';
import { searchQuery } from './documents.js';
import { FilterBar } from './filter-bar.js';
import { type Filters, useNotificationFilters, useSpan } from './filters.js';
import { FoundById } from './found-by-id.js';
import { useTexts } from './texts.js';
import { SavedViews } from './views.js';
import { deliveryStatuses, isOneOf, pathOfNotification } from './words.js';

type Row = NonNullable<SearchDeliveriesQuery['searchDeliveries']>['edges'][number]['node'];

/** For admins: what is stuck, then a search over what was sent to anybody. */
export function SearchPage() {
  const t = useTexts();
  return (
    <Page title={t('title')} about={t('about')}>
      <Backlog />
      <Search />
    </Page>
  );
}

function Search() {
  const t = useTexts();
  const c = useCommonTexts();
  const [filters, set] = useNotificationFilters();
  const variables = useVariables(filters);
  const { list, data, loading, refetch } = usePages(
    searchQuery,
    variables,
    ({ searchDeliveries }) => searchDeliveries,
  );
  const columns = useColumns();
  return (
    <Stack component="section" gap="sm" aria-labelledby="search">
      <Group justify="space-between">
        <Title order={2} id="search">
          {t('search.title')}
        </Title>
        <Group gap="xs">
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<RefreshCw size={12} aria-hidden />}
            loading={loading && data !== undefined}
            onClick={() => void refetch()}
          >
            {t('search.refresh')}
          </Button>
          <CopyAs document={searchQuery} variables={variables} />
        </Group>
      </Group>
      <SavedViews />
      <FilterBar
        isSearch
        filters={filters}
        set={set}
        statuses={deliveryStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
      />
      {filters.search && <FoundById text={filters.search} />}
      <DataList<Row>
        label={t('search.title')}
        {...list}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={linkOf}
        empty={{
          title: list.hasMore ? t('search.stillSearching') : t('search.empty'),
          help: list.hasMore ? (
            <Button variant="default" mt="xs" onClick={list.loadMore}>
              {c('state.more')}
            </Button>
          ) : (
            t('search.emptyHelp')
          ),
        }}
      />
    </Stack>
  );
}

const linkOf = ({
  request,
  notificationId,
  deliveryId,
}: Pick<Row, 'request' | 'notificationId' | 'deliveryId'>) =>
  pathOfNotification(request?.id ?? notificationId, deliveryId);

function useVariables(filters: Filters) {
  const span = useSpan(filters);
  const { search, user, channel, status, type, producer } = filters;
  return useMemo(
    () => ({
      ...(search && { query: search }),
      filter: {
        ...(user && { userId: user }),
        ...(isOneOf(channels, channel) && { channel }),
        ...(isOneOf(deliveryStatuses, status) && { status }),
        ...(type && { notificationType: type }),
        ...(producer && { producer }),
        ...span,
      },
    }),
    [search, user, channel, status, type, producer, span],
  );
}

function useColumns(): readonly Column<Row>[] {
  const t = useTexts();
  const channelName = useChannelName();
  return [
    {
      key: 'status',
      header: t('column.status'),
      width: 'minmax(120px, 150px)',
      render: (row) => <DeliveryState delivery={row} />,
    },
    {
      key: 'message',
      header: t('column.message'),
      width: 'minmax(140px, 3fr)',
      render: ({ renderedContent, notificationType, ...row }) => (
        <>
          <Anchor component={Link} to={linkOf(row)} size="sm" fw={600} c="inherit">
            {renderedContent?.title || renderedContent?.subject || notificationType}
          </Anchor>{' '}
          <Text span size="sm" c="dimmed">
            {renderedContent?.body ?? t('search.noContent')}
          </Text>
        </>
      ),
    },
    {
      key: 'to',
      header: t('column.to'),
      width: 'minmax(120px, 1.4fr)',
      isWideOnly: true,
      render: ({ userId, recipientAddress }) => (
        <>
          {userId}
          {recipientAddress && (
            <Text span size="sm" c="dimmed">
              {' '}
              {recipientAddress}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'channel',
      header: t('column.channel'),
      width: '90px',
      isWideOnly: true,
      render: ({ channel }) => channelName(channel),
    },
    {
      key: 'type',
      header: t('column.type'),
      width: 'minmax(100px, 1fr)',
      isWideOnly: true,
      render: ({ notificationType }) => notificationType,
    },
    {
      key: 'at',
      header: t('column.accepted'),
      width: '120px',
      isWideOnly: true,
      render: ({ createdAt }) => <Time at={createdAt} relative />,
    },
  ];
}
