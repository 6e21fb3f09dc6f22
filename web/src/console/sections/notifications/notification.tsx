import { Anchor, Button, Group, SimpleGrid, Stack, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { ArrowLeft, Send } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { client } from '../../../common/client.js';
import { useSession } from '../../../common/session.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { type Column, DataList } from '../../../common/ui/data-list.js';
import { useFilters } from '../../../common/ui/filters.js';
import { Page } from '../../../common/ui/page.js';
import { type ListState, usePages } from '../../../common/ui/pages.js';
import { Empty, Failure, Loading } from '../../../common/ui/states.js';
import { useLive } from '../../../common/use-live.js';
import type { NotificationPageQuery } from '../../../generated/graphql.js';
import { useChannelName } from '../../channels.js';
import { CancelButton } from './cancel.js';
import { DeliveryPanel } from './delivery.js';
import { DeliveryState, RequestState } from './delivery-state.js';
import { requestQuery, statusUpdates } from './documents.js';
import { RequestFacts } from './request-facts.js';
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
          pages.list.error ? (
            <Failure error={pages.list.error} retry={pages.list.retry} />
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
      <Live id={request.id} pages={pages} />
      <RequestFacts request={request} />
      <Deliveries request={request} list={pages.list} />
      <CopyAs document={requestQuery} variables={{ id }} />
    </Page>
  );
}

function Actions({ request }: { readonly request: Request }) {
  const t = useTexts();
  const session = useSession();
  // Who is no admin sees their own alone.
  const own = !session?.roles.includes('admin') || request.producer === session.userId;
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

const READ_AGAIN_MS = 500;

interface LiveProps {
  readonly id: string;
  readonly pages: { readonly list: ListState<Row>; readonly refetch: () => unknown };
}

/** Each step moves what the page shows: the cache knows the delivery. What it does not know yet is read. */
function Live({ id, pages: { list, refetch } }: LiveProps) {
  const readSoon = useDebouncedCallback(() => void refetch(), READ_AGAIN_MS);
  useLive(statusUpdates, {
    variables: { id },
    onUpdate: ({ notificationStatus: { deliveryId: of } }) => {
      if (!list.hasMore && !list.rows.some(({ deliveryId }) => deliveryId === of)) readSoon();
    },
    readAgain: () => void client.refetchQueries({ include: ['NotificationPage', 'DeliveryPanel'] }),
  });
  return null;
}

interface DeliveriesProps {
  readonly request: Request;
  readonly list: ListState<Row>;
}

function Deliveries({ request, list }: DeliveriesProps) {
  const t = useTexts();
  const channelName = useChannelName();
  const [{ delivery }] = useFilters({ delivery: '' });
  const { rows } = list;
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
        <Anchor
          component={Link}
          to={pathOfNotification(request.id, deliveryId)}
          size="sm"
          fw={deliveryId === open ? 700 : 400}
          aria-current={deliveryId === open ? true : undefined}
        >
          {userId}
        </Anchor>
      ),
    },
    {
      key: 'channel',
      header: t('column.channel'),
      width: '80px',
      render: ({ channel }) => channelName(channel),
    },
    {
      key: 'status',
      header: t('column.status'),
      width: 'minmax(105px, 150px)',
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
          {...list}
          columns={columns}
          keyOf={({ id }) => id}
          linkOf={({ deliveryId }) => pathOfNotification(request.id, deliveryId)}
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
