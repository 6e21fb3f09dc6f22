import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('webhooks', () => {
  test.for(looks)('are listed, and one shows its attempts, at %o', async (look, { open }) => {
    const page = await open('/console/webhooks', { ...look, as: 'root' });
    await page.getByRole('link', { name: 'https://hooks.shop.example/tidings' }).click();
    await page.getByText('It was switched off by itself').waitFor();
    await page.getByRole('switch', { name: 'Failed only' }).focus();
    await page.keyboard.press('Space');
    await page
      .getByRole('button', { name: /^(SENT|DELIVERED|FAILED|DLQ), / })
      .first()
      .click();
    await page.getByRole('dialog').getByText('the receiver answered 503').first().waitFor();
    await page.reload();
    await page.getByRole('dialog').getByText('webhook-id').waitFor();
    await axe(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      look.width,
    );
  });

  test('are created with a secret that is shown once, rotated and deleted by their producer', async ({
    open,
  }) => {
    const page = await open('/console/webhooks', { as: 'shop' });
    await page.getByRole('button', { name: 'Create a webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('http://127.0.0.1:9/web-test');
    await dialog.getByRole('button', { name: 'Create a webhook' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await axe(page);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'http://127.0.0.1:9/web-test' }).click();
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await dialog.getByRole('button', { name: 'Rotate the secret' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('http://127.0.0.1:9/web-test was deleted').waitFor();
    await page.getByRole('link', { name: 'https://hooks.shop.example/tidings' }).waitFor();
  });
});
