import { useQuery } from '@apollo/client/react';
import { Anchor, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { useLanguage } from '../../../common/i18n.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { Time } from '../../../common/ui/time.js';
import type { ShopOrderFragment } from '../../../generated/graphql.js';
import { Facts } from '../../facts.js';
import { money } from './fields.js';
import { IdLink } from './lists.js';
import { useMoment } from './moment.js';
import { ObjectPage, policyAt } from './object-page.js';
import classes from './order.module.css';
import { OrderStatusBadge } from './order-status.js';
import { useTexts } from './texts.js';

const orderDocument = graphql(/* GraphQL */ `
  query ShopOrderPage($id: ID!, $asOf: DateTime) {
    order(orderId: $id, asOf: $asOf) {
      ...ShopOrder
    }
  }
`);

export function OrderPage() {
  const t = useTexts();
  const { id = '' } = useParams();
  const moment = useMoment(`Order-${id}`);
  const variables = { id, asOf: moment.asOf };
  const query = useQuery(orderDocument, { variables, ...policyAt(moment.asOf) });
  const { data = query.previousData } = query;
  return (
    <ObjectPage
      kind={t('order.one')}
      id={id}
      moment={moment}
      query={query}
      object={data?.order}
      badge={({ status }) => <OrderStatusBadge status={status} />}
    >
      {(order) => (
        <>
          <StatusPath order={order} />
          <OrderFields order={order} />
          <Items order={order} />
          <CopyAs document={orderDocument} variables={variables} />
        </>
      )}
    </ObjectPage>
  );
}

type Step = readonly [name: 'placed' | 'shipped' | 'cancelled', at: string | null, note?: string | null];

/** The way of an order: placed, then shipped or cancelled. */
function StatusPath({ order }: { readonly order: ShopOrderFragment }) {
  const t = useTexts();
  const steps: readonly Step[] = [
    ['placed', order.placedAt],
    ...(order.status === 'CANCELLED' && !order.shippedAt
      ? []
      : [['shipped', order.shippedAt, order.trackingNumber] as const]),
    ...(order.cancelledAt ? [['cancelled', order.cancelledAt, order.cancellationReason] as const] : []),
  ];
  return (
    <ol className={classes.path} aria-label={t('order.path')}>
      {steps.map(([name, at, note]) => {
        const Icon = name === 'cancelled' ? CircleX : at ? CircleCheck : CircleDashed;
        return (
          <li key={name} className={classes.step} data-done={at !== null}>
            <Icon size={20} aria-hidden />
            <div>
              <Text size="sm" fw={600}>
                {t(`order.step.${name}`)}
              </Text>
              <Text component="div" size="xs" c="dimmed">
                {at ? <Time at={at} /> : t('order.step.open')}
                {note && <div>{note}</div>}
              </Text>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function OrderFields({ order }: { readonly order: ShopOrderFragment }) {
  const t = useTexts();
  const language = useLanguage();
  return (
    <Facts
      entries={[
        [
          t('order.customer'),
          <Anchor
            key="customer"
            component={Link}
            to={`/commerce/customers/${encodeURIComponent(order.customerId)}`}
            size="sm"
          >
            {order.customerName}
          </Anchor>,
        ],
        [t('customer.email'), order.customerEmail],
        [t('order.address'), order.shippingAddress],
        [t('order.total'), money(order.totalAmount, language)],
        [
          t('order.expected'),
          order.estimatedDelivery ? <Time key="expected" at={order.estimatedDelivery} /> : '–',
        ],
        [t('version'), order.version],
      ]}
    />
  );
}

function Items({ order }: { readonly order: ShopOrderFragment }) {
  const t = useTexts();
  const language = useLanguage();
  return (
    <Stack gap="xs">
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('order.items') }}>
        <Table miw={380}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('product.one')}</Table.Th>
              <Table.Th ta="right">{t('order.quantity')}</Table.Th>
              <Table.Th ta="right">{t('product.price')}</Table.Th>
              <Table.Th ta="right">{t('order.line')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="numbers">
            {order.items.map((item) => (
              <Table.Tr key={item.productId}>
                <Table.Td>
                  <IdLink folder="products" id={item.productId} text={item.productName} />
                </Table.Td>
                <Table.Td ta="right">{item.quantity}</Table.Td>
                <Table.Td ta="right">{money(item.unitPrice, language)}</Table.Td>
                <Table.Td ta="right">{money(item.lineTotal, language)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </Stack>
  );
}
