import { describe, expect } from 'vitest';
import { test } from './support/browser.js';
import { call } from './support/call.js';

describe('lists', () => {
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
  test('offers producers what they may enter', async ({ open }) => {
    const page = await open('/console/notifications', { as: 'shop' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('button', { name: 'Webhooks' }).waitFor();
    expect(await page.getByRole('button', { name: 'Limits' }).count()).toBe(0);
  });
});
