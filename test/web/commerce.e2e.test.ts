import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('the shop', () => {
  test.for(looks)('shows an order as it was before it was shipped, at %o', async (look, { open }) => {
    const page = await open('/console/commerce?status=SHIPPED', { ...look, as: 'root' });
    const orders = page.getByRole('table', { name: 'Orders' });
    await orders.getByText('shipped').first().waitFor();
    await axe(page);
    await orders
      .getByRole('link', { name: /^order-/ })
      .first()
      .click();
    await page.waitForURL('**/console/commerce/orders/*');
    const way = page.getByRole('list', { name: 'The way of the order' });
    await way.getByText('Shipped').waitFor();
    await page.getByText('OrderShipped', { exact: true }).waitFor();
    await axe(page);

    // Back by one event, with the keyboard.
    await page.getByRole('slider', { name: 'Shown as of' }).press('ArrowLeft');
    await page.waitForURL(/asOf=/);
    await way.getByText('not yet').waitFor();
    await page.reload();
    await way.getByText('not yet').waitFor();
    await page.getByRole('button', { name: 'Show as it is now' }).click();
    await way.getByText('not yet').waitFor({ state: 'detached' });
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, 'it does not scroll sideways').toBeLessThanOrEqual(look.width);
  });

  test.for(looks)('shows what followed from one request across domains, at %o', async (look, { open }) => {
    const page = await open('/console/commerce/orders/order-0600', { ...look, as: 'root' });
    await page.getByRole('link', { name: 'Across domains' }).first().click();
    await page.waitForURL('**/console/commerce/correlations/*');
    await page.getByText('OrderPlaced').waitFor();
    await page.getByText('InventoryReserved').first().waitFor();
    await axe(page);
  });

  test('opens any account by its id', async ({ open }) => {
    const page = await open('/console/commerce/accounts', { as: 'root' });
    await page.getByRole('table', { name: 'Accounts' }).waitFor();
    await page.getByLabel('Account id').fill('acc-alice');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('AccountCreated').waitFor();
    await page.getByRole('heading', { name: 'Newest movements' }).waitFor();
    await axe(page);
  });
});
