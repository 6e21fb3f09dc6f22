import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('the sandbox', () => {
  test.for(looks)('shows what was received, as its reader sees it, at %o', async (look, { open }) => {
    const page = await open('/console/sandbox?channel=email', { ...look, as: 'root' });
    // The demo's digests are sent within its first minute.
    await page.getByRole('row').nth(1).getByRole('link').click({ timeout: 110_000 });
    await page.locator('iframe[sandbox=""]').waitFor();
    await axe(page);
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
