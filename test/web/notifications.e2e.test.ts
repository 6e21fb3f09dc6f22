import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';
import { call } from './support/call.js';

const noSidewaysScroll = 'document.documentElement.scrollWidth <= window.innerWidth';

describe('notifications', () => {
  test.for(looks)(
    'says what is stuck and finds deliveries by filters in the URL at %o',
    async (look, { open }) => {
      const page = await open('/console/notifications?status=SUPPRESSED', { ...look, as: 'root' });
      await page.getByRole('heading', { name: 'Stuck now' }).waitFor();
      await page.getByRole('table', { name: 'Search' }).getByRole('row').nth(1).waitFor();
      expect(await page.evaluate(noSidewaysScroll)).toBe(true);
      await axe(page);
      await page.reload();
      await page.getByRole('table', { name: 'Search' }).getByRole('row').nth(1).waitFor();
    },
  );

  test('a search by text is in the URL, and a view of it can be kept', async ({ open }) => {
    const page = await open('/console/notifications', { as: 'root' });
    await page.getByLabel('Text, address or id').fill('nothing has such a text');
    await page.waitForURL(/search=nothing/);
    await page.getByText('No delivery passes these filters').waitFor();
    await keep(page, 'Mine');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Mine', exact: true }).click();
    await page.waitForURL(/search=nothing/);
  });

  test('views that are kept and deleted in two tabs do not undo one another', async ({ open }) => {
    const first = await open('/console/notifications?status=DEAD', { as: 'root' });
    await first.getByRole('button', { name: 'Save this view' }).waitFor();
    const second = await first.context().newPage();
    await second.goto('/robots.txt');
    const token = await first.evaluate("sessionStorage.getItem('tidings.token')");
    await second.evaluate(`sessionStorage.setItem('tidings.token', ${JSON.stringify(token)})`);
    await second.goto('/console/notifications?status=RETRYING');
    await keep(second, 'Of the second');
    await keep(first, 'Of the first');
    for (const page of [first, second])
      for (const name of ['Of the first', 'Of the second'])
        await page.getByRole('link', { name, exact: true }).waitFor();
    await second.getByRole('button', { name: 'Delete: Of the second' }).click();
    await first.getByRole('link', { name: 'Of the second', exact: true }).waitFor({ state: 'detached' });
    await first.reload();
    await first.getByRole('link', { name: 'Of the first', exact: true }).waitFor();
    expect(await first.getByRole('link', { name: 'Of the second', exact: true }).count()).toBe(0);
  });

  test.for(looks)(
    'shows why a delivery waits, and takes the notification back, at %o',
    async (look, { open }) => {
      const notificationId = `waits-${look.width}-${look.scheme}`;
      await call('shop', SEND, {
        input: {
          notificationId,
          type: 'ORDER_SHIPPED',
          templateId: 'order-shipped.email.en',
          recipients: [
            {
              userId: 'alice',
              channels: ['EMAIL'],
              variables: { order_id: '1', tracking_number: 'T-1' },
            },
          ],
          scheduleAt: new Date(Date.now() + 86_400_000).toISOString(),
        },
      });
      const page = await open(`/console/notifications/${notificationId}`, { ...look, as: 'shop' });
      await page.getByText(/Waits until .*, as its producer asked/).waitFor();
      expect(await page.evaluate(noSidewaysScroll)).toBe(true);
      await axe(page);
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
      await page.getByText('1 delivery will not be sent').waitFor();
      await page.getByText('Cancelled').first().waitFor();
    },
  );
});

async function keep(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.getByLabel('Name of the view').fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
}

const SEND = `mutation ($input: SendNotificationInput!) {
  sendNotification(input: $input) { requestId userErrors { code message } }
}`;
