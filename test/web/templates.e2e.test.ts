import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('templates', () => {
  test.for(looks)('are listed by type, channel and language at %o', async (look, { open }) => {
    const page = await open('/console/templates', { ...look, as: 'root' });
    await page.getByText('NEW_FOLLOWER', { exact: true }).waitFor();
    await axe(page);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, 'it does not scroll sideways').toBeLessThanOrEqual(look.width);
  });

  test.for(looks)(
    'are written with a preview, published, compared and rolled back at %o',
    async (look, { open }) => {
      const page = await open('/console/templates/new', { ...look, as: 'root' });
      await page
        .getByLabel('Type', { exact: false })
        .first()
        .fill(`BROWSER_${randomUUID().slice(0, 8)}`);
      await type(page, '{% if name %}');
      await page.getByText('This cannot be rendered').waitFor();
      await page.locator('.cm-lintRange-error').waitFor();

      await type(page, 'Hello{% endif %} there');
      await page.getByText('there', { exact: true }).waitFor();
      await axe(page);
      await page.getByRole('button', { name: 'Save and publish' }).click();
      // Each version has a page of its own.
      await page.waitForURL(/\/templates\/of\//);
      const first = page.url();
      await page.getByText('Version 1', { exact: false }).first().waitFor();

      await type(page, ' again');
      await page.getByRole('button', { name: 'Save and publish' }).click();
      await page.waitForURL((url) => url.href !== first);
      await page.getByText('Version 2', { exact: false }).first().waitFor();
      await page.getByRole('tab', { name: 'Versions (2)' }).click();
      await page.locator('.cm-changedLine').first().waitFor();
      await axe(page);
      await page.getByRole('button', { name: 'Roll back to this' }).click();
      await page.getByText('Version 1 is used from now on').waitFor();
    },
  );

  test('what was typed is kept where another admin saves a version meanwhile', async ({ open }) => {
    const first = await open('/console/templates/new', { as: 'root' });
    await first
      .getByLabel('Type', { exact: false })
      .first()
      .fill(`BROWSER_${randomUUID().slice(0, 8)}`);
    await type(first, 'one');
    await first.getByRole('button', { name: 'Save and publish' }).click();
    await first.waitForURL(/\/templates\/of\//);
    const second = await open(new URL(first.url()).pathname, { as: 'root' });
    await type(first, ' mine');
    await type(second, ' theirs');
    await second.getByRole('button', { name: 'Save as a version' }).click();
    await second.getByText('It is not used yet', { exact: false }).waitFor();

    await first.getByText('Version 2 was saved meanwhile').waitFor();
    await first.locator('.cm-content').getByText('one mine').waitFor();
  });

  test('what is typed while a version is being saved goes on from that version', async ({ open }) => {
    const page = await open('/console/templates/new', { as: 'root' });
    await page
      .getByLabel('Type', { exact: false })
      .first()
      .fill(`BROWSER_${randomUUID().slice(0, 8)}`);
    await type(page, 'one');
    const { promise: isTyped, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('"ConsoleSaveTemplate"')) await isTyped;
      await route.continue();
    });
    const asked = page.waitForRequest((request) =>
      Boolean(request.postData()?.includes('"ConsoleSaveTemplate"')),
    );
    await page.getByRole('button', { name: 'Save and publish' }).click();
    await asked;
    await type(page, ' and more');
    goOn();
    await page.waitForURL(/\/templates\/of\//);
    await page.getByText('Version 1', { exact: false }).first().waitFor();
    await page.locator('.cm-content').getByText('one and more').waitFor();
    await page.getByRole('button', { name: 'Save and publish' }).click();
    await page.getByText('Version 2', { exact: false }).first().waitFor();
    await page.locator('.cm-content').getByText('one and more').waitFor();
  });
});

/** At the end of the text. */
async function type(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(text);
}
