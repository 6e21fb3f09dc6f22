import { Anchor, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { DataList } from '../../../common/ui/data-list.js';
import { usePages } from '../../../common/ui/pages.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import type { DeliveryStatus } from '../../../generated/graphql.js';
import { useTexts } from './texts.js';

const deliveriesDocument = graphql(/* GraphQL */ `
  query PersonDeliveries($userId: ID!, $after: String) {
    deliveries(userId: $userId, first: 50, after: $after) {
      edges {
        cursor
        node {
          id
          deliveryId
          notificationId
          channel
          status
          suppression
          lastError
          createdAt
          nextRetryAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const TONES: Readonly<Record<DeliveryStatus, 'good' | 'busy' | 'waits' | 'bad' | 'over'>> = {
  CANCELLED: 'over',
  CLICKED: 'good',
  DEAD: 'bad',
  DELIVERED: 'good',
  DISMISSED: 'good',
  EXPIRED: 'over',
  OPENED: 'good',
  QUEUED: 'busy',
  RETRYING: 'waits',
  SCHEDULED: 'waits',
  SENT: 'busy',
  SUPPRESSED: 'over',
};

/** What was sent to them, or why it was not, newest first. */
export function Deliveries({ userId }: { readonly userId: string }) {
  const t = useTexts();
  const pages = usePages(deliveriesDocument, { userId }, ({ deliveries }) => deliveries);
  return (
    <DataList
      label={t('tabs.deliveries')}
      rows={pages.nodes}
      isLoaded={pages.data !== undefined}
      error={pages.error}
      retry={() => void pages.refetch()}
      hasMore={pages.hasMore}
      loadMore={pages.loadMore}
      keyOf={({ id }) => id}
      linkOf={({ notificationId }) => notificationLink(notificationId)}
      empty={{ title: t('deliveries.none'), help: t('deliveries.noneHelp') }}
      columns={[
        {
          key: 'notification',
          header: t('deliveries.notification'),
          width: 'minmax(130px, 2fr)',
          render: ({ notificationId }) => (
            <Anchor component={Link} size="sm" to={notificationLink(notificationId)} title={notificationId}>
              {notificationId}
            </Anchor>
          ),
        },
        {
          key: 'channel',
          header: t('deliveries.channel'),
          width: '90px',
          render: ({ channel }) => t(`channels.${channel}`),
        },
        {
          key: 'status',
          header: t('deliveries.status'),
          width: '120px',
          render: ({ status }) => <Status tone={TONES[status]}>{t(`deliveries.statuses.${status}`)}</Status>,
        },
        {
          key: 'why',
          header: t('deliveries.why'),
          width: 'minmax(160px, 2fr)',
          isWideOnly: true,
          render: ({ suppression, lastError, nextRetryAt }) => (
            <Stack gap={0}>
              {suppression ? (
                <span title={suppression}>{t(`deliveries.reasons.${suppression}`)}</span>
              ) : (
                (lastError ?? '')
              )}
              {nextRetryAt && (
                <span>
                  {t('deliveries.next')} <Time at={nextRetryAt} relative />
                </span>
              )}
            </Stack>
          ),
        },
        {
          key: 'at',
          header: t('deliveries.at'),
          width: '130px',
          isWideOnly: true,
          render: ({ createdAt }) => <Time at={createdAt} relative />,
        },
      ]}
    />
  );
}

const notificationLink = (notificationId: string): string =>
  `/notifications/${encodeURIComponent(notificationId)}`;
