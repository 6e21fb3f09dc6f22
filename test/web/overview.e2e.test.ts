import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('the overview', () => {
  test.for(looks)('shows live figures that lead to their lists at %o', async (look, { open }) => {
    const page = await open('/console/overview', { ...look, as: 'root' });
    await page.getByText(/^Live, from \d+ process/).waitFor();
    const figure = page.getByRole('link', { name: /^Projector lag/ });
    await figure.waitFor();
    await page.getByRole('rowheader', { name: 'In-app' }).waitFor();
    await page
      .getByText('No alert is active.')
      .or(page.getByText(/measured .*, bound/).first())
      .waitFor();
    await axe(page);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, 'it does not scroll sideways').toBeLessThanOrEqual(look.width);

    await figure.click();
    await page.waitForURL('**/console/events/projectors');
    await page.getByText('feed-posts', { exact: true }).waitFor();
  });
});

test('the overview speaks German to browsers that ask for it', async ({ open }) => {
  const page = await open('/console/overview', { as: 'root', locale: 'de-DE' });
  await page.getByRole('heading', { name: 'Warteschlangen' }).waitFor();
});
