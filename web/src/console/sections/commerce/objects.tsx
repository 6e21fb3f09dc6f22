import { useQuery } from '@apollo/client/react';
import { Anchor, Stack, Table, Text, Title } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { useLanguage } from '../../../common/i18n.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import type { ShopAccountFragment } from '../../../generated/graphql.js';
import { Facts } from '../../facts.js';
import { PersonLink } from '../../person-link.js';
import { money } from './fields.js';
import { IdLink } from './lists.js';
import { useMoment } from './moment.js';
import { ObjectPage, policyAt } from './object-page.js';
import { useTexts } from './texts.js';

const customerDocument = graphql(/* GraphQL */ `
  query ShopCustomerPage($id: ID!, $asOf: DateTime) {
    customer(customerId: $id, asOf: $asOf) {
      ...ShopCustomer
    }
  }
`);

export function CustomerPage() {
  const t = useTexts();
  const language = useLanguage();
  const { id = '' } = useParams();
  const moment = useMoment(`Customer-${id}`);
  const variables = { id, asOf: moment.asOf };
  const query = useQuery(customerDocument, { variables, ...policyAt(moment.asOf) });
  const { data = query.previousData } = query;
  return (
    <ObjectPage kind={t('customer.one')} id={id} moment={moment} query={query} object={data?.customer}>
      {(customer) => (
        <>
          <Facts
            entries={[
              [t('customer.name'), `${customer.firstName} ${customer.lastName}`],
              [t('customer.email'), customer.email],
              [
                t('customer.status'),
                <Status key="status" tone={customer.isActive ? 'good' : 'over'}>
                  {t(customer.isActive ? 'customer.active' : 'customer.inactive')}
                </Status>,
              ],
              [t('customer.owed'), money(customer.outstandingBalance, language)],
              [t('customer.creditLimit'), money(customer.creditLimit, language)],
              [t('customer.user'), <PersonLink key="user" userId={customer.userId} />],
              [
                t('orders'),
                <Anchor
                  key="orders"
                  component={Link}
                  to={`/commerce?customer=${encodeURIComponent(customer.customerId)}`}
                  size="sm"
                >
                  {t('customer.orders')}
                </Anchor>,
              ],
              [t('version'), customer.version],
            ]}
          />
          <CopyAs document={customerDocument} variables={variables} />
        </>
      )}
    </ObjectPage>
  );
}

const productDocument = graphql(/* GraphQL */ `
  query ShopProductPage($id: ID!, $asOf: DateTime) {
    product(productId: $id, asOf: $asOf) {
      ...ShopProduct
    }
  }
`);

export function ProductPage() {
  const t = useTexts();
  const language = useLanguage();
  const { id = '' } = useParams();
  const moment = useMoment(`Product-${id}`);
  const variables = { id, asOf: moment.asOf };
  const query = useQuery(productDocument, { variables, ...policyAt(moment.asOf) });
  const { data = query.previousData } = query;
  return (
    <ObjectPage kind={t('product.one')} id={id} moment={moment} query={query} object={data?.product}>
      {(product) => (
        <>
          <Facts
            entries={[
              [t('product.name'), product.name],
              [t('product.price'), money(product.unitPrice, language)],
              [t('product.inStock'), product.inStock],
              [t('product.reserved'), product.reserved],
              [t('product.available'), product.available],
              [t('version'), product.version],
            ]}
          />
          <CopyAs document={productDocument} variables={variables} />
        </>
      )}
    </ObjectPage>
  );
}

const accountDocument = graphql(/* GraphQL */ `
  query ShopAccountPage($id: ID!, $asOf: DateTime) {
    account(accountId: $id, asOf: $asOf) {
      ...ShopAccount
    }
  }
`);

export function AccountPage() {
  const t = useTexts();
  const language = useLanguage();
  const { id = '' } = useParams();
  const moment = useMoment(`Account-${id}`);
  const variables = { id, asOf: moment.asOf };
  const query = useQuery(accountDocument, { variables, ...policyAt(moment.asOf) });
  const { data = query.previousData } = query;
  return (
    <ObjectPage
      kind={t('account.one')}
      id={id}
      moment={moment}
      query={query}
      object={data?.account}
      badge={({ status }) => (
        <Status tone={status === 'ACTIVE' ? 'good' : 'over'}>{t(`account.statuses.${status}`)}</Status>
      )}
    >
      {(account) => (
        <>
          <Facts
            entries={[
              [t('account.balance'), money(account.balance, language, account.currency)],
              [t('account.owner'), <PersonLink key="owner" userId={account.ownerId} />],
              [t('version'), account.version],
            ]}
          />
          <Movements account={account} />
          <CopyAs document={accountDocument} variables={variables} />
        </>
      )}
    </ObjectPage>
  );
}

function Movements({ account }: { readonly account: ShopAccountFragment }) {
  const t = useTexts();
  const language = useLanguage();
  if (account.recentTransactions.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={3} size="sm">
        {t('account.movements')}
      </Title>
      <Table>
        <Table.Tbody>
          {account.recentTransactions.map(({ amount, date, desc }) => (
            <Table.Tr key={`${date} ${desc} ${amount}`}>
              <Table.Td>
                <Text size="sm">{desc}</Text>
                <Text size="xs" c="dimmed">
                  <Time at={date} />
                </Text>
              </Table.Td>
              <Table.Td ta="right" className="numbers">
                {money(amount, language, account.currency)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

const transferDocument = graphql(/* GraphQL */ `
  query ShopTransferPage($id: ID!) {
    transfer(transferId: $id) {
      id
      transferId
      amount
      currency
      description
      fromAccountId
      toAccountId
      status
      reason
      version
    }
  }
`);

const TRANSFER_TONES = {
  STARTED: 'busy',
  DEBITED: 'busy',
  COMPLETED: 'good',
  REFUSED: 'bad',
  COMPENSATED: 'waits',
} as const;

/** A transfer is shown as it is: the API has no past states of it. */
export function TransferPage() {
  const t = useTexts();
  const language = useLanguage();
  const { id = '' } = useParams();
  const moment = useMoment(`Transfer-${id}`);
  const query = useQuery(transferDocument, { variables: { id } });
  return (
    <ObjectPage
      kind={t('transfer.one')}
      id={id}
      moment={moment}
      query={query}
      object={query.data?.transfer}
      badge={({ status }) => (
        <Status tone={TRANSFER_TONES[status]}>{t(`transfer.statuses.${status}`)}</Status>
      )}
      hasNoPast
    >
      {(transfer) => (
        <Facts
          entries={[
            [t('transfer.amount'), money(transfer.amount, language, transfer.currency)],
            [t('transfer.from'), <IdLink key="from" folder="accounts" id={transfer.fromAccountId} />],
            [t('transfer.to'), <IdLink key="to" folder="accounts" id={transfer.toAccountId} />],
            [t('transfer.description'), transfer.description],
            [t('transfer.reason'), transfer.reason],
            [t('version'), transfer.version],
          ]}
        />
      )}
    </ObjectPage>
  );
}
