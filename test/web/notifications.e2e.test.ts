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
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name of the view').fill('Mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Mine', exact: true }).click();
    await page.waitForURL(/search=nothing/);
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

const SEND = `mutation ($input: SendNotificationInput!) {
  sendNotification(input: $input) { requestId userErrors { code message } }
}`;
