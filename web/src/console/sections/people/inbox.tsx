import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { fromHtml } from '../../../common/from-html.js';
import { graphql } from '../../../common/graphql.js';
import { DataList } from '../../../common/ui/data-list.js';
import { useFilters } from '../../../common/ui/filters.js';
import { usePages } from '../../../common/ui/pages.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import type { InboxFilter } from '../../../generated/graphql.js';
import { Choice } from './choice.js';
import { useTexts } from './texts.js';

const inboxDocument = graphql(/* GraphQL */ `
  query PersonInbox($userId: ID!, $filter: InboxFilter!, $after: String) {
    inbox(userId: $userId, filter: $filter, first: 50, after: $after) {
      unreadCount
      unreadCountIsEstimate
      edges {
        cursor
        node {
          id
          itemId
          title
          body
          notificationType
          actorCount
          createdAt
          readAt
          archivedAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const FILTERS = ['ALL', 'UNREAD', 'ARCHIVED'] as const satisfies readonly InboxFilter[];

/** Their inbox as they see it; looking at it marks nothing. */
export function Inbox({ userId }: { readonly userId: string }) {
  const t = useTexts();
  const [{ filter }, set] = useFilters({ filter: 'ALL' });
  const chosen = FILTERS.find((one) => one === filter) ?? 'ALL';
  const pages = usePages(inboxDocument, { userId, filter: chosen }, ({ inbox }) => inbox);
  const inbox = pages.data?.inbox;
  return (
    <Stack gap="sm">
      <Choice
        label={t('inbox.filter')}
        value={chosen}
        onChange={(value) => set({ filter: value })}
        options={FILTERS.map((value) => ({ value, label: t(`inbox.filters.${value}`) }))}
      />
      <Text size="sm" c="dimmed" role="status">
        {inbox &&
          t(inbox.unreadCountIsEstimate ? 'inbox.unreadMany' : 'inbox.unread', {
            count: inbox.unreadCount,
          })}{' '}
        {t('inbox.marksNothing')}
      </Text>
      <DataList
        label={t('tabs.inbox')}
        {...pages.list}
        keyOf={({ id }) => id}
        empty={{ title: t('inbox.none') }}
        columns={[
          {
            key: 'text',
            header: t('inbox.item'),
            width: 'minmax(180px, 3fr)',
            render: ({ title, body, readAt }) => (
              <Stack gap={0}>
                <Text size="sm" fw={readAt ? 400 : 650} truncate>
                  {fromHtml(title ?? body)}
                </Text>
                {title && (
                  <Text size="xs" c="dimmed" truncate>
                    {fromHtml(body)}
                  </Text>
                )}
              </Stack>
            ),
          },
          {
            key: 'type',
            header: t('inbox.type'),
            width: '180px',
            isWideOnly: true,
            render: ({ notificationType }) => notificationType,
          },
          {
            key: 'state',
            header: t('inbox.state'),
            width: '110px',
            render: ({ readAt, archivedAt }) => (
              <Status tone={archivedAt ? 'over' : readAt ? 'good' : 'waits'}>
                {t(archivedAt ? 'inbox.archived' : readAt ? 'inbox.read' : 'inbox.new')}
              </Status>
            ),
          },
          {
            key: 'at',
            header: t('inbox.at'),
            width: '130px',
            isWideOnly: true,
            render: ({ createdAt }) => <Time at={createdAt} relative />,
          },
          {
            key: 'delivery',
            header: t('inbox.delivery'),
            width: '110px',
            isWideOnly: true,
            render: ({ itemId }) => (
              <Anchor component={Link} size="sm" to={`/notifications?search=${encodeURIComponent(itemId)}`}>
                {t('inbox.open')}
              </Anchor>
            ),
          },
        ]}
      />
    </Stack>
  );
}
