import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('analytics', () => {
  test.for(looks)('compare two spans, by charts and figures, at %o', async (look, { open }) => {
    const page = await open('/console/analytics?compare=before', { ...look, as: 'root' });
    await page.locator('.recharts-surface').first().waitFor();
    await page
      .getByText(/^before: /)
      .first()
      .waitFor();
    await axe(page);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, 'it does not scroll sideways').toBeLessThanOrEqual(look.width);
  });

  test('filters are in the address, and a reload keeps them', async ({ open }) => {
    const page = await open('/console/analytics', { as: 'root' });
    await page.getByLabel('Span').selectOption('7 days');
    await page.getByLabel('Channel', { exact: true }).first().selectOption('Email');
    await page.waitForURL(/span=week.*channel=EMAIL/);
    await page.reload();
    await page.locator('.recharts-surface').first().waitFor();
    expect(await page.getByLabel('Span').inputValue()).toBe('week');
  });
});
