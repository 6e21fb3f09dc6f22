import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('API keys', () => {
  test.for(looks)('are created, shown once and revoked, at %o', async (look, { open }) => {
    const user = `web-key-${look.width}-${look.scheme}`;
    const page = await open(`/console/api-keys?user=${user}`, { ...look, as: 'root' });
    await page.getByText('No key acts for this user').waitFor();
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('A shop');
    await axe(page);
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    const key = await dialog.getByText(/^tidings_/).textContent();
    expect(key).toMatch(/^tidings_[0-9a-f]{16}_/);
    await axe(page);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.reload();
    await page.getByRole('button', { name: 'Revoke A shop' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('A shop is revoked').waitFor();
    await page.getByText('Revoked', { exact: true }).waitFor();
    expect(await page.getByText(key!).count()).toBe(0);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      look.width,
    );
  });
});
