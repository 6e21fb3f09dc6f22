import { Anchor, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts, useLanguage } from '../../../common/i18n.js';
import { DataList } from '../../../common/ui/data-list.js';
import { useFilters } from '../../../common/ui/filters.js';
import { usePages } from '../../../common/ui/pages.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import type { OrderStatus } from '../../../generated/graphql.js';
import { money } from './fields.js';
import { OrderStatusBadge } from './order-status.js';
import { useTexts } from './texts.js';

const ordersDocument = graphql(/* GraphQL */ `
  query ShopOrders($filter: OrderFilter, $after: String) {
    orders(filter: $filter, first: 50, after: $after) {
      edges {
        cursor
        node {
          ...ShopOrderRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const STATUSES = ['CONFIRMED', 'SHIPPED', 'CANCELLED'] as const satisfies readonly OrderStatus[];

export function Orders() {
  const t = useTexts();
  const c = useCommonTexts();
  const language = useLanguage();
  const [{ status, customer }, set] = useFilters({ status: '', customer: '' });
  const filter = {
    status: STATUSES.find((one) => one === status) ?? null,
    customerId: customer || null,
  };
  const pages = usePages(ordersDocument, { filter }, ({ orders }) => orders);
  return (
    <Stack>
      <Group align="flex-end" gap="sm" className="filters">
        <Select
          label={t('order.status')}
          placeholder={c('filter.any')}
          clearable
          value={status || null}
          onChange={(value) => set({ status: value })}
          data={STATUSES.map((value) => ({ value, label: t(`order.statuses.${value}`) }))}
        />
        <OpenForm
          key={customer}
          label={t('order.customer')}
          initial={customer}
          onOpen={(id) => set({ customer: id })}
          action={c('filter.search')}
        />
      </Group>
      <DataList
        asked={pages.asked}
        label={t('orders')}
        {...pages.list}
        keyOf={({ id }) => id}
        linkOf={({ orderId }) => `/commerce/orders/${encodeURIComponent(orderId)}`}
        empty={{ title: t('none'), help: t('noneHelp') }}
        columns={[
          {
            key: 'id',
            header: t('order.one'),
            width: 'minmax(100px, 1fr)',
            render: ({ orderId }) => <IdLink folder="orders" id={orderId} />,
          },
          {
            key: 'status',
            header: t('order.status'),
            width: '120px',
            render: ({ status: of }) => <OrderStatusBadge status={of} />,
          },
          {
            key: 'customer',
            header: t('order.customer'),
            width: 'minmax(120px, 1.4fr)',
            isWideOnly: true,
            render: ({ customerId, customerName }) => (
              <Anchor component={Link} to={`/commerce/customers/${encodeURIComponent(customerId)}`} size="sm">
                {customerName}
              </Anchor>
            ),
          },
          {
            key: 'total',
            isNumber: true,
            header: t('order.total'),
            width: '110px',
            render: ({ totalAmount }) => <span className="numbers">{money(totalAmount, language)}</span>,
          },
          {
            key: 'at',
            header: t('order.placedAt'),
            width: '140px',
            isWideOnly: true,
            render: ({ placedAt }) => <Time at={placedAt} relative />,
          },
        ]}
      />
    </Stack>
  );
}

const customersDocument = graphql(/* GraphQL */ `
  query ShopCustomers($after: String) {
    customers(first: 50, after: $after) {
      edges {
        cursor
        node {
          ...ShopCustomer
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export function Customers() {
  const t = useTexts();
  const language = useLanguage();
  const navigate = useNavigate();
  const pages = usePages(customersDocument, {}, ({ customers }) => customers);
  return (
    <Stack>
      <OpenForm
        label={t('customer.id')}
        onOpen={(id) => void navigate(`/commerce/customers/${encodeURIComponent(id)}`)}
      />
      <DataList
        asked={pages.asked}
        label={t('customers')}
        {...pages.list}
        keyOf={({ id }) => id}
        linkOf={({ customerId }) => `/commerce/customers/${encodeURIComponent(customerId)}`}
        empty={{ title: t('none'), help: t('noneHelp') }}
        columns={[
          {
            key: 'name',
            header: t('customer.one'),
            width: 'minmax(120px, 1.2fr)',
            render: ({ customerId, firstName, lastName }) => (
              <IdLink folder="customers" id={customerId} text={`${firstName} ${lastName}`} />
            ),
          },
          {
            key: 'email',
            header: t('customer.email'),
            width: 'minmax(120px, 1.4fr)',
            isWideOnly: true,
            render: ({ email }) => email,
          },
          {
            key: 'owed',
            isNumber: true,
            header: t('customer.owed'),
            width: '120px',
            render: ({ outstandingBalance }) => (
              <span className="numbers">{money(outstandingBalance, language)}</span>
            ),
          },
          {
            key: 'limit',
            isNumber: true,
            header: t('customer.creditLimit'),
            width: '120px',
            isWideOnly: true,
            render: ({ creditLimit }) => <span className="numbers">{money(creditLimit, language)}</span>,
          },
          {
            key: 'active',
            header: t('customer.status'),
            width: '100px',
            render: ({ isActive }) => (
              <Status tone={isActive ? 'good' : 'over'}>
                {t(isActive ? 'customer.active' : 'customer.inactive')}
              </Status>
            ),
          },
        ]}
      />
    </Stack>
  );
}

interface IdLinkProps {
  readonly folder: string;
  readonly id: string;
  readonly text?: string;
}

export function IdLink({ folder, id, text = id }: IdLinkProps) {
  return (
    <Anchor component={Link} to={`/commerce/${folder}/${encodeURIComponent(id)}`} size="sm">
      {text}
    </Anchor>
  );
}

interface OpenFormProps {
  readonly label: string;
  readonly initial?: string;
  readonly action?: string;
  readonly onOpen: (id: string) => void;
}

/** Leads to what has an id that is typed in. */
export function OpenForm({ label, initial = '', action, onOpen }: OpenFormProps) {
  const t = useTexts();
  const form = useForm({ initialValues: { id: initial } });
  return (
    <form onSubmit={form.onSubmit(({ id }) => onOpen(id.trim()))} style={{ gridColumn: '1 / -1' }}>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput label={label} {...form.getInputProps('id')} />
        <Button type="submit" variant="default">
          {action ?? t('open')}
        </Button>
      </Group>
    </form>
  );
}
