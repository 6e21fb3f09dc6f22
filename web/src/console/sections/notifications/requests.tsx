import { Anchor, Button } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useCommonTexts } from '../../../common/i18n.js';
import { type Column, DataList } from '../../../common/ui/data-list.js';
import { Page } from '../../../common/ui/page.js';
import { usePages } from '../../../common/ui/pages.js';
import { Time } from '../../../common/ui/time.js';
import type { ListRequestsQuery } from '../../../generated/graphql.js';
import { channels } from '../../channels.js';
import { RequestState } from './delivery-state.js';
import { requestsQuery } from './documents.js';
import { FilterBar } from './filter-bar.js';
import { type Filters, useNotificationFilters, useSpan } from './filters.js';
import { FoundById } from './found-by-id.js';
import { useTexts } from './texts.js';
import { isOneOf, pathOfNotification, requestStatuses } from './words.js';

type Row = NonNullable<ListRequestsQuery['notificationRequests']>['edges'][number]['node'];

/** For producers: what they asked for. */
export function RequestsPage() {
  const t = useTexts();
  const c = useCommonTexts();
  const [filters, set] = useNotificationFilters();
  const variables = useVariables(filters);
  const { list, asked } = usePages(
    requestsQuery,
    variables,
    ({ notificationRequests }) => notificationRequests,
  );
  return (
    <Page title={t('title')} about={t('aboutOwn')}>
      <FilterBar
        filters={filters}
        set={set}
        statuses={requestStatuses.map((value) => ({ value, label: t(`request.${value}`) }))}
      />
      {filters.search && <FoundById text={filters.search} otherwise={t('search.noId')} />}
      <DataList<Row>
        asked={asked}
        label={t('title')}
        {...list}
        columns={useColumns()}
        keyOf={({ id }) => id}
        linkOf={({ id }) => pathOfNotification(id)}
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
    </Page>
  );
}

function useVariables(filters: Filters) {
  const span = useSpan(filters);
  const { user, channel, status, type } = filters;
  return useMemo(
    () => ({
      filter: {
        ...(user && { userId: user }),
        ...(isOneOf(channels, channel) && { channel }),
        ...(isOneOf(requestStatuses, status) && { status }),
        ...(type && { type }),
        ...span,
      },
    }),
    [user, channel, status, type, span],
  );
}

function useColumns(): readonly Column<Row>[] {
  const t = useTexts();
  return [
    {
      key: 'status',
      header: t('column.status'),
      width: 'minmax(120px, 150px)',
      render: ({ status }) => <RequestState status={status} />,
    },
    {
      key: 'id',
      header: t('column.notification'),
      width: 'minmax(140px, 2fr)',
      render: ({ id, notificationId }) => (
        <Anchor component={Link} to={pathOfNotification(id)} size="sm">
          {notificationId}
        </Anchor>
      ),
    },
    {
      key: 'type',
      header: t('column.type'),
      width: 'minmax(120px, 1fr)',
      isWideOnly: true,
      render: ({ type }) => type,
    },
    {
      key: 'template',
      header: t('column.template'),
      width: 'minmax(120px, 1fr)',
      isWideOnly: true,
      render: ({ templateId }) => templateId,
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
