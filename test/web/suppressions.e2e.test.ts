import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('suppressions', () => {
  test.for(looks)('are added, found by their address and removed, at %o', async (look, { open }) => {
    const address = `web-${look.width}-${look.scheme}@example.com`;
    const page = await open('/console/suppressions', { ...look, as: 'root' });
    await page.getByRole('button', { name: 'Add an address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(address);
    await axe(page);
    await dialog.getByRole('button', { name: 'Add an address' }).click();
    await page.getByText(`Nothing is sent to ${address} any more`).waitFor();
    await page.getByRole('searchbox', { name: 'The whole address' }).fill(address);
    await page.getByText('Added by hand').waitFor();
    await page.waitForURL(/address=/);
    await page.reload();
    await page.getByRole('button', { name: `Remove ${address}` }).click();
    await dialog.getByLabel('Why').fill('It was a test');
    await axe(page);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No such address is suppressed').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      look.width,
    );
  });
});
