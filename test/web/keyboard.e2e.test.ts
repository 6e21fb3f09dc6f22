import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { authorFollowedBy } from './support/author.js';
import { test } from './support/browser.js';

/** Which row of a list has the focus; null where none has. */
const rowWithFocus = (page: Page): Promise<string | null> =>
  page.evaluate<string | null>('document.activeElement?.getAttribute("data-index") ?? null');

const hasFocus = async (element: Locator): Promise<boolean> =>
  (await element.count()) === 1 &&
  (await element.evaluate(
    (found: { readonly ownerDocument: { readonly activeElement: unknown } }) =>
      found === found.ownerDocument.activeElement,
  ));

const isIn = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate<boolean>(`document.activeElement?.closest(${JSON.stringify(selector)}) !== null`);

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

async function orders(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Orders' }).getByRole('row').nth(3).waitFor();
}

describe('the keys of a list', () => {
  test('lead in from the page, go down and up, open a row, and go on from there after going back', async ({
    open,
  }) => {
    const page = await open('/console/commerce', { as: 'root' });
    await orders(page);
    await press(page, 'j');
    await expect.poll(() => rowWithFocus(page)).toBe('0');
    await press(page, 'j', 'j', 'ArrowDown', 'k');
    await expect.poll(() => rowWithFocus(page)).toBe('2');
    await press(page, 'ArrowUp');
    await expect.poll(() => rowWithFocus(page)).toBe('1');
    const id = await page.locator('[data-index="1"]').getByRole('link').first().textContent();
    await press(page, 'Enter');
    await page.waitForURL(/\/commerce\/orders\//);
    await page.getByRole('heading', { level: 2, name: `Order ${id}` }).waitFor();
    expect(await isIn(page, '#content')).toBe(true);
    await page.goBack();
    await orders(page);
    await press(page, 'j');
    await expect.poll(() => rowWithFocus(page)).toBe('1');
    await press(page, 'j');
    await expect.poll(() => rowWithFocus(page)).toBe('2');
  });

  test('stop at its ends, and follow further than the window shows', async ({ open }) => {
    const page = await open('/console/commerce', { as: 'root' });
    await orders(page);
    await press(page, 'j', 'k', 'k');
    await expect.poll(() => rowWithFocus(page)).toBe('0');
    for (let row = 1; row <= 40; row++) {
      await press(page, 'j');
      await expect.poll(() => rowWithFocus(page)).toBe(String(row));
    }
    const box = await page.locator('[data-index="40"]').boundingBox();
    expect(box!.y).toBeGreaterThanOrEqual(0);
    expect(box!.y + box!.height).toBeLessThanOrEqual(900);
  });

  test('lead in from a link or a button, too, and are letters in a field', async ({ open }) => {
    const page = await open('/console/commerce', { as: 'root' });
    await orders(page);
    await page.getByRole('link', { name: 'Commerce' }).focus();
    await press(page, 'j');
    await expect.poll(() => rowWithFocus(page)).toBe('0');
    await page.goto('/console/notifications');
    await page.getByRole('table', { name: 'Search' }).getByRole('row').nth(1).waitFor();
    const field = page.getByLabel('Text, address or id');
    await field.click();
    await press(page, 'j', 'k');
    expect(await field.inputValue()).toBe('jk');
  });

  test('are off outside of it where single letters are no commands', async ({ open }) => {
    const page = await open('/console/commerce', { as: 'root' });
    await orders(page);
    await page.getByRole('button', { name: 'root' }).click();
    await page.getByRole('switch', { name: 'Single letters are commands' }).uncheck({ force: true });
    await press(page, 'Escape');
    await press(page, 'j');
    expect(await rowWithFocus(page)).toBe(null);
    await page.locator('[data-index="0"]').focus();
    await press(page, 'j');
    await expect.poll(() => rowWithFocus(page)).toBe('1');
  });
});

describe('the palette of an admin', () => {
  const search = (page: Page) => page.getByRole('textbox', { name: 'Search everything' });

  test.for(['Control+k', 'Meta+k'])(
    'opens by %s, leads on by Enter, and the focus is in the page',
    async (keys, { open }) => {
      const page = await open('/console/commerce', { as: 'root' });
      await orders(page);
      await press(page, keys);
      await search(page).waitFor();
      await expect.poll(() => hasFocus(search(page))).toBe(true);
      await page.keyboard.type('dead let');
      await page.getByRole('button', { name: 'Dead letters', exact: true }).waitFor();
      await press(page, 'Enter');
      await page.getByRole('heading', { level: 1, name: 'Dead letters' }).waitFor();
      await search(page).waitFor({ state: 'detached' });
      await expect.poll(() => isIn(page, '#content')).toBe(true);
      // Once it is there, it opens in the same way.
      await press(page, keys);
      await expect.poll(() => hasFocus(search(page))).toBe(true);
    },
  );

  test('chooses with the arrows, and leaves the focus where it was when it is closed', async ({ open }) => {
    const page = await open('/console/commerce', { as: 'root' });
    await orders(page);
    await press(page, 'j', 'j');
    await press(page, 'Control+k');
    await expect.poll(() => hasFocus(search(page))).toBe(true);
    await press(page, 'Escape');
    await search(page).waitFor({ state: 'detached' });
    await expect.poll(() => rowWithFocus(page)).toBe('1');
    await press(page, 'Control+k');
    await expect.poll(() => hasFocus(search(page))).toBe(true);
    await page.keyboard.type('notif');
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await press(page, 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter');
    await page.waitForURL(/\/console\/notifications/);
  });
});

describe('the focus', () => {
  test('is in a dialog as long as it is open, and on what opened it after', async ({ open }) => {
    const page = await open('/console/suppressions', { as: 'root' });
    const opener = page.getByRole('button', { name: /^Add/ });
    await opener.focus();
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => isIn(page, '[role=dialog]')).toBe(true);
    for (let stop = 0; stop < 12; stop++) {
      await press(page, 'Tab');
      expect(await isIn(page, '[role=dialog]'), `at stop ${stop}`).toBe(true);
    }
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(opener)).toBe(true);
  });

  test('is on the button of the menu that a dialog was opened from', async ({ open }) => {
    const reader = `reader-${randomUUID()}`;
    const { author, publish } = await authorFollowedBy(reader);
    await publish('With a menu');
    const page = await open('/app/latest', { as: reader });
    const menu = page.getByRole('button', { name: `More about the post by ${author}` });
    await menu.focus();
    await press(page, 'Enter');
    await page.getByRole('menuitem', { name: `Block ${author}` }).focus();
    await press(page, 'Enter');
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => isIn(page, '[role=dialog]')).toBe(true);
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(menu)).toBe(true);
  });

  test('is in the page where what had it is gone with a dialog', async ({ open }) => {
    const page = await open('/app', { as: `reader-${randomUUID()}` });
    await page.getByText('Your feed is empty').waitFor();
    await press(page, 'n');
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => isIn(page, '[role=dialog]')).toBe(true);
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => isIn(page, '#content')).toBe(true);
  });
});
