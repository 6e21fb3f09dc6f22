import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import { useIsAdmin } from '../../../common/session.js';
import { type Column, DataList } from '../../../common/ui/data-list.js';
import { Page } from '../../../common/ui/page.js';
import { usePages } from '../../../common/ui/pages.js';
import { Time } from '../../../common/ui/time.js';
import type { ConsoleCampaignsQuery } from '../../../generated/graphql.js';
import { CampaignsDocument, RunningCampaignsDocument } from './documents.js';
import { CampaignBar, CampaignStatus, isMoving } from './progress.js';
import { useTexts } from './texts.js';

type Row = NonNullable<ConsoleCampaignsQuery['campaigns']>['edges'][number]['node'];

const linkOf = ({ id }: Pick<Row, 'id'>): string => `/campaigns/of/${encodeURIComponent(id)}`;

export function CampaignList() {
  const t = useTexts();
  const isAdmin = useIsAdmin();
  const { list, asked } = usePages(CampaignsDocument, {}, ({ campaigns }) => campaigns);
  useLiveProgress(list.rows);

  const columns: readonly Column<Row>[] = [
    {
      key: 'batch',
      header: t('list.batch'),
      width: 'minmax(90px, 1.4fr)',
      render: (row) => (
        <>
          <Anchor component={Link} to={linkOf(row)} fw={600} size="sm">
            {row.batchId}
          </Anchor>
          <Text size="xs" c="dimmed" truncate>
            {row.notificationType}
          </Text>
        </>
      ),
    },
    {
      key: 'status',
      header: t('list.status'),
      width: 'minmax(95px, 120px)',
      render: (row) => <CampaignStatus {...row} />,
    },
    {
      key: 'progress',
      header: t('list.progress'),
      width: 'minmax(75px, 1fr)',
      render: (row) => <CampaignBar campaign={row} />,
    },
    {
      key: 'rate',
      header: t('list.rate'),
      width: '110px',
      isWideOnly: true,
      render: ({ ratePerSecond }) => t('list.perSecond', { rate: ratePerSecond }),
    },
    ...(isAdmin
      ? [
          {
            key: 'producer',
            header: t('list.producer'),
            width: '110px',
            isWideOnly: true,
            render: ({ producer }: Row) => producer,
          },
        ]
      : []),
    {
      key: 'created',
      header: t('list.created'),
      width: '130px',
      isWideOnly: true,
      render: ({ createdAt }) => <Time at={createdAt} relative />,
    },
  ];

  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        <Button component={Link} to="/campaigns/new" leftSection={<Plus size={16} aria-hidden />}>
          {t('new.title')}
        </Button>
      }
    >
      <DataList
        asked={asked}
        label={t('title')}
        {...list}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={linkOf}
        empty={{ title: t('list.empty'), help: t('list.emptyHelp') }}
      />
    </Page>
  );
}

/** The campaigns that are not over are asked for each second; the rows follow through the cache. */
function useLiveProgress(rows: readonly Row[]): void {
  const ids = rows
    .filter(isMoving)
    .map(({ id }) => id)
    .slice(0, 20);
  useQuery(RunningCampaignsDocument, {
    variables: { ids },
    skip: ids.length === 0,
    pollInterval: 1_000,
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'network-only',
  });
}
