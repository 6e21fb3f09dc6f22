import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { authorFollowedBy } from './support/author.js';
import { test } from './support/browser.js';
import { endable } from './support/endable.js';

const AWAY = [/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket/];

describe('code of a page that could not be loaded', () => {
  test('comes when the server is there again, and what is open stays', async ({ open }) => {
    const page = await open('/console/commerce', { as: 'root', expected: AWAY });
    await page.getByRole('table', { name: 'Orders' }).waitFor();
    await page.context().setOffline(true);
    await page.keyboard.press('Control+k');
    await page.getByText('The server cannot be reached').first().waitFor();
    expect(await page.getByRole('table', { name: 'Orders' }).count()).toBe(1);
    await page.context().setOffline(false);
    await page.getByRole('textbox', { name: 'Search everything' }).waitFor();
  });
});

describe('the inbox of the reader', () => {
  test('is followed on after the server has ended its subscription', async ({ open }) => {
    const page = await open('/robots.txt', { as: `reader-${randomUUID()}` });
    const end = await endable(page, 'ReaderInboxUpdates');
    await page.goto('/app/inbox');
    await expect.poll(end.started).toBe(1);
    end.now();
    await expect.poll(end.started).toBe(2);
  });
});

describe('a dialog over a feed', () => {
  test('has the keys that are pressed in it', async ({ open }) => {
    const { author, publish } = await authorFollowedBy(`reader-${randomUUID()}`);
    await publish('One');
    await publish('Two');
    const page = await open('/app', { as: author });
    await page
      .getByRole('button', { name: `More about the post by ${author}` })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const text = page.getByRole('dialog').getByRole('textbox', { name: 'Text' });
    await text.fill('One\n'.repeat(60));
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageDown');
    await page.keyboard.insertText('typed at the end');
    expect(await text.inputValue()).toContain('typed at the end');
  });
});

describe('who is muted', () => {
  test('leaves what has come and waits to be shown', async ({ open }) => {
    const reader = `reader-${randomUUID()}`;
    const muted = await authorFollowedBy(reader);
    const other = await authorFollowedBy(reader);
    await muted.publish('Seen already');
    const page = await open('/app', { as: reader });
    await page.getByText('Seen already').waitFor();
    await muted.publish('Not seen yet');
    await other.publish('Of somebody else');
    await page.getByRole('button', { name: '2 new posts' }).waitFor();
    await page.getByRole('button', { name: `More about the post by ${muted.author}` }).click();
    await page.getByRole('menuitem', { name: `Mute ${muted.author}` }).click();
    await page.getByRole('button', { name: '1 new post', exact: true }).click();
    await page.getByText('Of somebody else').waitFor();
    expect(await page.getByText('Not seen yet').count()).toBe(0);
  });
});

describe('a key that is shown once', () => {
  test('is shown, whatever is pressed while it is being made', async ({ open }) => {
    const page = await open(`/console/api-keys?user=web-key-${randomUUID()}`, { as: 'root' });
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (/ApiKeyCreate/.test(route.request().postData() ?? '')) {
        asked.resolve();
        await held.promise;
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    await asked.promise;
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    held.resolve();
    await dialog.getByText(/^tidings_/).waitFor();
  });
});
