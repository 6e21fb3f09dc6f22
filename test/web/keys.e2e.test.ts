import { describe, expect } from 'vitest';
import { axe, test } from './support/browser.js';
import { call } from './support/call.js';

describe('lists', () => {
  test('are entered by j, gone through by j and k, and opened by Enter', async ({ open }) => {
    const page = await open('/console/commerce', { as: 'root' });
    const row = (index: number) => page.locator(`[data-index="${index}"]`);
    await row(1).waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => row(0).evaluate('(element) => element === document.activeElement')).toBe(true);
    await page.keyboard.press('j');
    await expect.poll(() => row(1).evaluate('(element) => element === document.activeElement')).toBe(true);
    await page.keyboard.press('k');
    await expect.poll(() => row(0).evaluate('(element) => element === document.activeElement')).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/commerce\/orders\//);
    await page.locator('nav a[aria-current=page]', { hasText: 'Orders' }).waitFor();
  });

  test('say when something happened in UTC where the pointer rests', async ({ open }) => {
    const page = await open('/console/commerce', { as: 'root' });
    await page.locator('[role=row] time').first().hover();
    await page
      .getByRole('tooltip')
      .getByText(/Z \(UTC\)$/)
      .waitFor();
  });

  test('are copied as a query that the API answers, fragments and all', async ({ open }) => {
    for (const path of ['/console/people?query=ali', '/console/dead-letters', '/console/campaigns']) {
      const page = await open(path, { as: 'root' });
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy as curl' }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const curl = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(curl).toContain('$TOKEN');
      const body = /-d '(.*)'$/s.exec(curl)![1]!.replaceAll(String.raw`'\''`, "'");
      const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
      await call('root', query, variables);
    }
  });
});

describe('the palette', () => {
  test('leads to pages within sections, to what an id is of, and to a search', async ({ open }) => {
    const page = await open('/console/overview', { as: 'root' });
    const search = page.getByRole('textbox', { name: 'Search everything' });
    const entry = (name: string | RegExp) => page.getByRole('button', { name });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await search.fill('projec');
    await entry('Projectors').waitFor();
    await axe(page);
    await search.fill('order-0600');
    await entry('Search notifications for “order-0600”').waitFor();
    await entry('Order order-0600').click();
    await page.getByRole('heading', { name: 'Order order-0600' }).waitFor();
    await page.keyboard.press('Control+k');
    await search.fill('bob');
    await entry(/^Bob Okafor/).click();
    await page.waitForURL(/\/console\/people\/bob$/);
  });

  test('offers producers what they may enter', async ({ open }) => {
    const page = await open('/console/notifications', { as: 'shop' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('button', { name: 'Webhooks' }).waitFor();
    expect(await page.getByRole('button', { name: 'Limits' }).count()).toBe(0);
  });
});

test('a menu that is loaded when it is asked for gives the focus back to its button', async ({ open }) => {
  const page = await open('/console/overview', { as: 'root' });
  const button = page.getByRole('button', { name: 'root', exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor({ state: 'hidden' });
  await expect.poll(() => button.evaluate('(element) => element === document.activeElement')).toBe(true);
});
