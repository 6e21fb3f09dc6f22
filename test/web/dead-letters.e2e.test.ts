import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('dead letters', () => {
  test.for(looks)('are listed by channel, and settled after a question, at %o', async (look, { open }) => {
    const page = await open('/console/dead-letters?channel=SMS', { ...look, as: 'root' });
    await page.getByRole('heading', { level: 1, name: 'Dead letters' }).waitFor();
    await page.getByText(/^\d+ open$/).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await axe(page);
  });

  test('are not shown to producers', async ({ open }) => {
    const page = await open('/console/dead-letters', { as: 'shop' });
    await page.getByText('Your role does not allow this').waitFor();
  });
});
