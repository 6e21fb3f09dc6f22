import type { ComponentType } from 'react';
import { Route, Routes, useParams } from 'react-router';
import { NotFound } from '../../../common/ui/not-found.js';
import { Page } from '../../../common/ui/page.js';
import { SubNav } from '../../../common/ui/sub-nav.js';
import { Correlation } from './correlation.js';
import { Customers, Orders } from './lists.js';
import { AccountPage, CustomerPage, ProductPage, TransferPage } from './objects.js';
import { OrderPage } from './order.js';
import { Accounts, Products } from './stock-lists.js';
import { useTexts } from './texts.js';

export default function CommerceSection() {
  const t = useTexts();
  return (
    <Page title={t('title')} about={t('about')}>
      <SubNav
        label={t('title')}
        links={[
          { to: '/commerce', label: t('orders'), isIndex: true, also: /^\/commerce\/orders\// },
          { to: '/commerce/customers', label: t('customers') },
          { to: '/commerce/products', label: t('products') },
          { to: '/commerce/accounts', label: t('accounts'), also: /^\/commerce\/transfers\// },
        ]}
      />
      <Routes>
        <Route index element={<Orders />} />
        <Route path="orders/:id" element={<PerId page={OrderPage} />} />
        <Route path="customers" element={<Customers />} />
        <Route path="customers/:id" element={<PerId page={CustomerPage} />} />
        <Route path="products" element={<Products />} />
        <Route path="products/:id" element={<PerId page={ProductPage} />} />
        <Route path="accounts" element={<Accounts />} />
        <Route path="accounts/:id" element={<PerId page={AccountPage} />} />
        <Route path="transfers/:id" element={<PerId page={TransferPage} />} />
        <Route path="correlations/:id" element={<Correlation />} />
        <Route path="*" element={<NotFound home="/commerce" />} />
      </Routes>
    </Page>
  );
}

/** Another object has a page of its own: it shows nothing of the one before while it loads. */
function PerId({ page: PageOf }: { readonly page: ComponentType }) {
  return <PageOf key={useParams().id} />;
}
