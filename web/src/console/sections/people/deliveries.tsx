import { Anchor, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { DataList } from '../../../common/ui/data-list.js';
import { usePages } from '../../../common/ui/pages.js';
import { Time } from '../../../common/ui/time.js';
import type { PersonDeliveriesQuery } from '../../../generated/graphql.js';
import { useChannelName } from '../../channels.js';
import { DeliveryState } from '../notifications/delivery-state.js';
import { useTexts as useNotificationTexts } from '../notifications/texts.js';
import { pathOfNotification } from '../notifications/words.js';
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
          request {
            id
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** What was sent to them, or why it was not, newest first. */
export function Deliveries({ userId }: { readonly userId: string }) {
  const t = useTexts();
  const channelName = useChannelName();
  const n = useNotificationTexts();
  const pages = usePages(deliveriesDocument, { userId }, ({ deliveries }) => deliveries);
  return (
    <DataList
      label={t('tabs.deliveries')}
      {...pages.list}
      keyOf={({ id }) => id}
      linkOf={linkOf}
      empty={{ title: t('deliveries.none'), help: t('deliveries.noneHelp') }}
      columns={[
        {
          key: 'notification',
          header: t('deliveries.notification'),
          width: 'minmax(90px, 2fr)',
          render: (row) => (
            <Anchor component={Link} size="sm" to={linkOf(row)} title={row.notificationId}>
              {row.notificationId}
            </Anchor>
          ),
        },
        {
          key: 'channel',
          header: t('deliveries.channel'),
          width: '90px',
          render: ({ channel }) => channelName(channel),
        },
        {
          key: 'status',
          header: t('deliveries.status'),
          width: 'minmax(105px, 150px)',
          render: (row) => <DeliveryState delivery={row} />,
        },
        {
          key: 'why',
          header: t('deliveries.why'),
          width: 'minmax(160px, 2fr)',
          isWideOnly: true,
          render: ({ suppression, lastError, nextRetryAt }) => (
            <Stack gap={0}>
              {suppression ? (
                <span title={suppression}>{n(`suppression.${suppression}`)}</span>
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

type Row = NonNullable<PersonDeliveriesQuery['deliveries']>['edges'][number]['node'];

const linkOf = ({ request, notificationId, deliveryId }: Row): string =>
  pathOfNotification(request?.id ?? notificationId, deliveryId);
