import { useSubscription } from '@apollo/client/react';
import { Anchor, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { ArrowLeft, Send } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { useSession } from '../../../common/session.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { type Column, DataList } from '../../../common/ui/data-list.js';
import { useFilters } from '../../../common/ui/filters.js';
import { Page } from '../../../common/ui/page.js';
import { usePages } from '../../../common/ui/pages.js';
import { Empty, Failure, Loading } from '../../../common/ui/states.js';
import type { NotificationPageQuery } from '../../../generated/graphql.js';
import { usePreviewTexts } from '../../preview/index.js';
import { CancelButton } from './cancel.js';
import { DeliveryPanel } from './delivery.js';
import { DeliveryState, RequestState } from './delivery-state.js';
import { requestQuery, statusUpdates } from './documents.js';
import { RequestFacts } from './facts.js';
import { useTexts } from './texts.js';
import { pathOfNotification } from './words.js';

type Request = NonNullable<NotificationPageQuery['notificationRequest']>;
type Row = Request['deliveries']['edges'][number]['node'];

/** One notification: whom it went to, and of one delivery all that happened. Followed live. */
export function NotificationPage() {
  const t = useTexts();
  const { id = '' } = useParams();
  const pages = usePages(requestQuery, { id }, ({ notificationRequest }) => notificationRequest?.deliveries);
  const request = pages.data?.notificationRequest;
  const back = (
    <Anchor component={Link} to="/notifications" size="sm">
      <Group gap={4} component="span">
        <ArrowLeft size={14} aria-hidden />
        {t('one.back')}
      </Group>
    </Anchor>
  );
  if (!request)
    return (
      <Page title={t('one.title')} about={back}>
        {pages.data === undefined ? (
          pages.error ? (
            <Failure error={pages.error} retry={() => void pages.refetch()} />
          ) : (
            <Loading />
          )
        ) : (
          <Empty title={t('one.missing')}>{t('one.missingHelp')}</Empty>
        )}
      </Page>
    );
  return (
    <Page title={request.notificationId} about={back} actions={<Actions request={request} />}>
      {Boolean(pages.error) && <Failure error={pages.error} retry={() => void pages.refetch()} />}
      <Live id={request.id} />
      <RequestFacts request={request} />
      <Deliveries request={request} rows={pages.nodes} hasMore={pages.hasMore} loadMore={pages.loadMore} />
      <CopyAs document={requestQuery} variables={{ id }} />
    </Page>
  );
}

function Actions({ request }: { readonly request: Request }) {
  const t = useTexts();
  const own = request.producer === useSession()?.userId;
  const isOpen =
    request.status !== 'COMPLETED' && request.status !== 'CANCELLED' && request.status !== 'EXPIRED';
  const [first] = request.deliveries.edges;
  const again = new URLSearchParams({
    template: request.templateId,
    ...(first && request.deliveries.edges.length === 1 && { to: first.node.userId }),
  });
  return (
    <>
      <RequestState status={request.status} />
      {own && isOpen && <CancelButton notificationId={request.id} />}
      <Button
        component={Link}
        to={`/send?${again}`}
        variant="default"
        leftSection={<Send size={14} aria-hidden />}
      >
        {t('one.sendAgain')}
      </Button>
    </>
  );
}

/** Each step moves what the page shows: the cache knows the delivery. */
function Live({ id }: { readonly id: string }) {
  useSubscription(statusUpdates, { variables: { id } });
  return null;
}

interface DeliveriesProps {
  readonly request: Request;
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly loadMore: () => Promise<unknown>;
}

function Deliveries({ request, rows, hasMore, loadMore }: DeliveriesProps) {
  const t = useTexts();
  const p = usePreviewTexts();
  const [{ delivery }] = useFilters({ delivery: '' });
  const open = delivery || (rows.length === 1 ? rows[0]!.deliveryId : '');
  useEffect(() => {
    if (delivery) document.getElementById('delivery')?.scrollIntoView({ block: 'nearest' });
  }, [delivery]);
  const columns: readonly Column<Row>[] = [
    {
      key: 'user',
      header: t('column.to'),
      width: 'minmax(100px, 1fr)',
      render: ({ userId, deliveryId }) => (
        <Text span size="sm" fw={deliveryId === open ? 700 : 400}>
          {userId}
        </Text>
      ),
    },
    {
      key: 'channel',
      header: t('column.channel'),
      width: '80px',
      render: ({ channel }) => p(`channel.${channel}`),
    },
    {
      key: 'status',
      header: t('column.status'),
      width: '150px',
      render: (row) => <DeliveryState delivery={row} />,
    },
  ];
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
      <Stack component="section" gap="xs" aria-labelledby="recipients">
        <Title order={2} id="recipients">
          {t('one.recipients')}
        </Title>
        <DataList
          label={t('one.recipients')}
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
          linkOf={({ deliveryId }) => pathOfNotification(request.id, deliveryId)}
          isLoaded
          hasMore={hasMore}
          loadMore={loadMore}
          empty={{ title: t('one.noDeliveries'), help: t('one.noDeliveriesHelp') }}
        />
      </Stack>
      <section id="delivery" aria-label={t('one.delivery')}>
        {open ? (
          <DeliveryPanel key={open} id={open} />
        ) : (
          rows.length > 0 && <Empty title={t('one.choose')}>{t('one.chooseHelp')}</Empty>
        )}
      </section>
    </SimpleGrid>
  );
}
