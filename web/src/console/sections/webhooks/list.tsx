import { Anchor, Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { useIsAdmin } from '../../../common/session.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { DataList } from '../../../common/ui/data-list.js';
import { Page } from '../../../common/ui/page.js';
import { usePages } from '../../../common/ui/pages.js';
import { Time } from '../../../common/ui/time.js';
import { CreateDialog } from './create.js';
import { WebhookState } from './state.js';
import { useTexts } from './texts.js';

graphql(/* GraphQL */ `
  fragment WebhookRow on Webhook {
    id
    webhookId
    url
    ownerId
    eventTypes
    notificationTypes
    isActive
    disabledReason
    createdAt
  }
`);

const listDocument = graphql(/* GraphQL */ `
  query WebhooksList($after: String) {
    webhooks(first: 50, after: $after) {
      edges {
        cursor
        node {
          ...WebhookRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const webhookLink = (webhookId: string): string => `/webhooks/${encodeURIComponent(webhookId)}`;

export function WebhookList() {
  const t = useTexts();
  const isAdmin = useIsAdmin();
  const [isCreating, { open, close }] = useDisclosure();
  const pages = usePages(listDocument, {}, ({ webhooks }) => webhooks);
  return (
    <Page
      title={t('title')}
      about={t(isAdmin ? 'aboutAll' : 'about')}
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
          {t('create')}
        </Button>
      }
    >
      <Stack>
        <DataList
          label={t('title')}
          {...pages.list}
          keyOf={({ id }) => id}
          linkOf={({ webhookId }) => webhookLink(webhookId)}
          empty={{ title: t('none'), help: t('noneHelp') }}
          columns={[
            {
              key: 'url',
              header: t('url'),
              width: 'minmax(160px, 2.5fr)',
              render: ({ url, webhookId }) => (
                <Anchor component={Link} to={webhookLink(webhookId)} size="sm" title={url}>
                  {url}
                </Anchor>
              ),
            },
            ...(isAdmin
              ? [
                  {
                    key: 'owner',
                    header: t('owner'),
                    width: 'minmax(80px, 1fr)',
                    isWideOnly: true,
                    render: ({ ownerId }: { readonly ownerId: string }) => ownerId,
                  },
                ]
              : []),
            {
              key: 'events',
              header: t('events'),
              width: 'minmax(140px, 2fr)',
              isWideOnly: true,
              render: ({ eventTypes }) => <span title={eventTypes.join(', ')}>{eventTypes.join(', ')}</span>,
            },
            {
              key: 'state',
              header: t('state'),
              width: '110px',
              render: (webhook) => <WebhookState webhook={webhook} />,
            },
            {
              key: 'created',
              header: t('created'),
              width: '130px',
              isWideOnly: true,
              render: ({ createdAt }) => <Time at={createdAt} relative />,
            },
          ]}
        />
        <CopyAs document={listDocument} />
      </Stack>
      {isCreating && <CreateDialog onClose={close} onDone={() => void pages.refetch()} />}
    </Page>
  );
}
