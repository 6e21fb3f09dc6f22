import { Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { useLanguage } from '../../../common/i18n.js';
import { DataList } from '../../../common/ui/data-list.js';
import { usePages } from '../../../common/ui/pages.js';
import { Status } from '../../../common/ui/status.js';
import { money } from './fields.js';
import { IdLink, OpenForm } from './lists.js';
import { useTexts } from './texts.js';

const productsDocument = graphql(/* GraphQL */ `
  query ShopProducts($after: String) {
    products(first: 50, after: $after) {
      edges {
        cursor
        node {
          ...ShopProduct
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export function Products() {
  const t = useTexts();
  const language = useLanguage();
  const navigate = useNavigate();
  const pages = usePages(productsDocument, {}, ({ products }) => products);
  return (
    <Stack>
      <OpenForm
        label={t('product.id')}
        onOpen={(id) => void navigate(`/commerce/products/${encodeURIComponent(id)}`)}
      />
      <DataList
        asked={pages.asked}
        label={t('products')}
        {...pages.list}
        keyOf={({ id }) => id}
        linkOf={({ productId }) => `/commerce/products/${encodeURIComponent(productId)}`}
        empty={{ title: t('none'), help: t('noneHelp') }}
        columns={[
          {
            key: 'name',
            header: t('product.one'),
            width: 'minmax(140px, 2fr)',
            render: ({ productId, name }) => <IdLink folder="products" id={productId} text={name} />,
          },
          {
            key: 'price',
            isNumber: true,
            header: t('product.price'),
            width: '110px',
            render: ({ unitPrice }) => <span className="numbers">{money(unitPrice, language)}</span>,
          },
          {
            key: 'available',
            isNumber: true,
            header: t('product.available'),
            width: '110px',
            render: ({ available }) =>
              available > 0 ? (
                <span className="numbers">{available}</span>
              ) : (
                <Status tone="bad">{t('product.soldOut')}</Status>
              ),
          },
          {
            key: 'stock',
            isNumber: true,
            header: t('product.inStock'),
            width: '110px',
            isWideOnly: true,
            render: ({ inStock }) => <span className="numbers">{inStock}</span>,
          },
          {
            key: 'reserved',
            isNumber: true,
            header: t('product.reserved'),
            width: '110px',
            isWideOnly: true,
            render: ({ reserved }) => <span className="numbers">{reserved}</span>,
          },
        ]}
      />
    </Stack>
  );
}

const accountsDocument = graphql(/* GraphQL */ `
  query ShopAccounts($after: String) {
    accounts(first: 50, after: $after) {
      edges {
        cursor
        node {
          ...ShopAccount
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export function Accounts() {
  const t = useTexts();
  const language = useLanguage();
  const navigate = useNavigate();
  const pages = usePages(accountsDocument, {}, ({ accounts }) => accounts);
  return (
    <Stack>
      <OpenForm
        label={t('account.id')}
        onOpen={(id) => void navigate(`/commerce/accounts/${encodeURIComponent(id)}`)}
      />
      <DataList
        asked={pages.asked}
        label={t('accounts')}
        {...pages.list}
        keyOf={({ id }) => id}
        linkOf={({ accountId }) => `/commerce/accounts/${encodeURIComponent(accountId)}`}
        empty={{ title: t('none'), help: t('noneHelp') }}
        columns={[
          {
            key: 'id',
            header: t('account.one'),
            width: 'minmax(80px, 1fr)',
            render: ({ accountId }) => <IdLink folder="accounts" id={accountId} />,
          },
          {
            key: 'owner',
            header: t('account.owner'),
            width: 'minmax(100px, 1fr)',
            isWideOnly: true,
            render: ({ ownerId }) => ownerId,
          },
          {
            key: 'balance',
            isNumber: true,
            header: t('account.balance'),
            width: 'minmax(110px, 140px)',
            render: ({ balance, currency }) => (
              <span className="numbers">{money(balance, language, currency)}</span>
            ),
          },
          {
            key: 'status',
            header: t('account.status'),
            width: '110px',
            render: ({ status }) => (
              <Status tone={status === 'ACTIVE' ? 'good' : 'over'}>{t(`account.statuses.${status}`)}</Status>
            ),
          },
        ]}
      />
    </Stack>
  );
}
