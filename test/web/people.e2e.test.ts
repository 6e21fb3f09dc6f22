import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('people', () => {
  test.for(looks)('are found while a name is typed, and one is opened, at %o', async (look, { open }) => {
    const page = await open('/console/people', { ...look, as: 'root' });
    await page.getByRole('searchbox', { name: 'Search people' }).fill('alic');
    await page.getByRole('link', { name: 'Alice Moreau' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alice Moreau' }).waitFor();
    await page.getByRole('table', { name: 'Followers' }).waitFor();
    await axe(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      look.width,
    );
  });

  const tabs = [
    'settings',
    'preferences',
    'devices',
    'deliveries',
    'inbox',
    'feed',
    'limits',
    'suppressions',
    'attributes',
  ];
  test.for(tabs)('have a page of their %s, which a reload keeps', async (tab, { open }) => {
    const page = await open(`/console/people/alice/${tab}`, { as: 'root', width: 360 });
    await page.getByRole('heading', { level: 1, name: 'Alice Moreau' }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
    await axe(page);
    await page.reload();
    await page.locator(`nav a[aria-current="page"][href$="/${tab}"]`).waitFor();
  });

  test('have preferences that an admin turns off and on', async ({ open }) => {
    const page = await open('/console/people/shop/preferences', { as: 'root' });
    const choice = page.getByRole('switch', { name: 'NEW_POST by Email' });
    await choice.waitFor();
    expect(await choice.isChecked()).toBe(true);
    await choice.focus();
    await page.keyboard.press('Space');
    await page.getByText('Preference saved').first().waitFor();
    await page.reload();
    await choice.waitFor();
    expect(await choice.isChecked()).toBe(false);
    await page.getByRole('button', { name: 'All off: NEW_POST' }).click();
    await page.getByRole('button', { name: 'All on: NEW_POST' }).click();
    await page.getByRole('button', { name: 'All off: NEW_POST' }).waitFor();
    expect(await choice.isChecked()).toBe(true);
  });

  test('have quiet hours that an admin sets; a fault keeps what was typed', async ({ open }) => {
    const page = await open('/console/people/web-quiet/settings', { as: 'root' });
    await page.getByLabel('Email').fill('no address');
    await page.getByLabel('Email').fill('quiet@');
    await page.getByLabel('Phone').fill('123');
    await page.getByLabel('Email').fill('quiet@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It was not done').waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('123');
    await page.getByLabel('Phone').fill('');
    await page.getByLabel('Quiet hours begin').fill('22:00');
    await page.getByLabel('Quiet hours end').fill('07:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();
    await page.reload();
    await page.getByText('Quiet hours are from 22:00 to 07:00.').waitFor();
  });

  test('have a feed that says why each post is there', async ({ open }) => {
    const page = await open('/console/people/alice/feed', { as: 'root' });
    await page.getByText('Why:').first().waitFor();
    await page.getByRole('button', { name: 'Parts of the score' }).first().click();
    await page.getByText('It is recent').first().waitFor();
    await axe(page);
  });

  test('get and lose attributes', async ({ open }) => {
    const page = await open('/console/people/web-attributes/attributes', { as: 'root' });
    await page.getByText('No attributes').waitFor();
    await page.getByRole('combobox', { name: 'Attribute' }).fill('webShoe');
    await page.getByLabel('Value').fill('large');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('rowheader', { name: 'webShoe' }).waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Remove webShoe' }).click();
    await page.getByText('No attributes').waitFor();
  });
});
