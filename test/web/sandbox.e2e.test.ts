import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';
import { call } from './support/call.js';

describe('the sandbox', () => {
  const notificationId = `browser-${randomUUID()}`;

  beforeAll(async () => {
    const userId = `mailbox-${randomUUID()}`;
    await call(userId, ADDRESS, { email: `${userId}@example.com` });
    const recipients = [
      { userId, channels: ['EMAIL'], variables: { order_id: '1', tracking_number: 'T-1' } },
    ];
    await call('shop', SEND, {
      input: { notificationId, type: 'ORDER_SHIPPED', templateId: 'order-shipped.email.en', recipients },
    });
  });

  test.for(looks)('shows what was received, as its reader sees it, at %o', async (look, { open }) => {
    const path = `/console/sandbox?channel=email&search=${notificationId}`;
    const page = await open(path, { ...look, as: 'root' });
    const opened: string[] = [];
    page.on('request', (request) => {
      if (/\/open\b/.test(new URL(request.url()).pathname)) opened.push(request.url());
    });
    await page.getByRole('row').nth(1).getByRole('link').click();
    await page.locator('iframe[sandbox=""]').waitFor();
    await axe(page);
    expect(opened, 'looking at a mail counts as opening it').toEqual([]);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, 'it does not scroll sideways').toBeLessThanOrEqual(look.width);
  });

  test('a provider misbehaves by one button, and behaves again by another', async ({ open }) => {
    const page = await open('/console/sandbox?tab=faults&channel=sms&times=1', { as: 'root' });
    await page.getByRole('button', { name: 'Unavailable (503)' }).click();
    await page.getByText('sms: status 503, times 1').waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Clear faults' }).click();
    await page.getByText('All providers behave', { exact: true }).waitFor();
  });
});

const ADDRESS = `mutation ($email: String!) {
  updateNotificationSettings(input: { email: $email }) { userErrors { code message } }
}`;

const SEND = `mutation ($input: SendNotificationInput!) {
  sendNotification(input: $input) { requestId userErrors { code message } }
}`;
