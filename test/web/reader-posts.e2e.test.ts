import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { authorFollowedBy } from './support/author.js';
import { axe, test } from './support/browser.js';

const card = (page: Page, text: string) => page.locator('article', { hasText: text });

describe('a post of one’s own', () => {
  test('is changed, and what it said before can be read', async ({ open }) => {
    const { author, publish } = await authorFollowedBy(`reader-${randomUUID()}`);
    await publish('As it was first');
    const page = await open('/app', { as: author });
    await menuOf(page, 'As it was first', author, 'Edit');
    const text = page.getByRole('dialog').getByRole('textbox', { name: 'Text' });
    await text.fill('As it is now');
    await axe(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await card(page, 'As it is now').getByText('edited').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await card(page, 'As it was first').count()).toBe(0);
    await menuOf(page, 'As it is now', author, 'Earlier texts');
    await page.getByRole('dialog', { name: 'Earlier texts' }).getByText('As it was first').waitFor();
  });

  test('keeps what was typed where a change is refused', async ({ open }) => {
    const { author, publish } = await authorFollowedBy(`reader-${randomUUID()}`);
    await publish('To be changed');
    const page = await open('/app', { as: author });
    await menuOf(page, 'To be changed', author, 'Edit');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Text' }).fill('   ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('   ');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await card(page, 'To be changed').waitFor();
  });

  test('is deleted once that is confirmed, here and where others read it', async ({ open }) => {
    const reader = `reader-${randomUUID()}`;
    const { author, publish } = await authorFollowedBy(reader);
    await publish('To be deleted');
    await publish('To stay');
    const page = await open('/app', { as: author });
    await menuOf(page, 'To be deleted', author, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The post was deleted').waitFor();
    await card(page, 'To be deleted').waitFor({ state: 'detached' });
    const other = await open('/app', { as: reader });
    await card(other, 'To stay').waitFor();
    expect(await card(other, 'To be deleted').count()).toBe(0);
  });
});

describe('a person', () => {
  test('who is muted leaves the feed, and comes back when they are not', async ({ open }) => {
    const reader = `reader-${randomUUID()}`;
    const { author, publish } = await authorFollowedBy(reader);
    await publish('Of somebody who is muted');
    const page = await open('/app', { as: reader });
    await menuOf(page, 'Of somebody who is muted', author, `Mute ${author}`);
    await page.getByText(`${author} is muted`).waitFor();
    await card(page, 'Of somebody who is muted').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Your feed is empty').waitFor();

    await page.goto('/app/settings?section=people');
    await page.getByRole('button', { name: 'Unmute' }).click();
    await page.getByText('Nobody').nth(1).waitFor();
    await page.goto('/app');
    await card(page, 'Of somebody who is muted').waitFor();
  });

  test('who is blocked leaves the feed, and is unblocked in the settings', async ({ open }) => {
    const reader = `reader-${randomUUID()}`;
    const { author, publish } = await authorFollowedBy(reader);
    await publish('Of somebody who is blocked');
    const page = await open('/app', { as: reader });
    await menuOf(page, 'Of somebody who is blocked', author, `Block ${author}`);
    const dialog = page.getByRole('dialog', { name: `Block ${author}?` });
    await dialog.waitFor();
    await axe(page);
    await dialog.getByRole('button', { name: 'Block' }).click();
    await page.getByText(`${author} is blocked`).waitFor();
    await card(page, 'Of somebody who is blocked').waitFor({ state: 'detached' });
    await page.goto(`/app/people/${author}`);
    await page.getByText('You have blocked this person').waitFor();

    await page.goto('/app/settings?section=people');
    await page.getByRole('button', { name: 'Unblock' }).click();
    await page.getByText('Nobody').nth(1).waitFor();
    await page.goto(`/app/people/${author}`);
    await card(page, 'Of somebody who is blocked').waitFor();
  });

  test('who is blocked on their page and unblocked there is there again with what they wrote, without a reload', async ({
    open,
  }) => {
    const reader = `reader-${randomUUID()}`;
    const { author, publish } = await authorFollowedBy(reader);
    await publish('Hidden by a block');
    const page = await open(`/app/people/${author}`, { as: reader });
    await card(page, 'Hidden by a block').waitFor();
    await page.getByRole('button', { name: `More about ${author}` }).click();
    await page.getByRole('menuitem', { name: `Block ${author}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await page.getByText('You have blocked this person').waitFor();
    await card(page, 'Hidden by a block').waitFor({ state: 'detached' });
    await page.getByRole('main').getByRole('button', { name: 'Unblock' }).click();
    await card(page, 'Hidden by a block').waitFor();
    // A block hides that they are followed, and does not end it.
    await page.getByRole('button', { name: `stop following ${author}` }).click();
    await page.getByRole('button', { name: `Follow ${author}` }).waitFor();
  });

  test('who is not followed can be followed once they are unblocked', async ({ open }) => {
    const { author } = await authorFollowedBy(`reader-${randomUUID()}`);
    const page = await open(`/app/people/${author}`, { as: `reader-${randomUUID()}` });
    const follow = page.getByRole('button', { name: `Follow ${author}` });
    await follow.waitFor();
    await page.getByRole('button', { name: `More about ${author}` }).click();
    await page.getByRole('menuitem', { name: `Block ${author}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await follow.waitFor({ state: 'detached' });
    await page.getByRole('main').getByRole('button', { name: 'Unblock' }).click();
    await follow.click();
    await page.getByRole('button', { name: `stop following ${author}` }).waitFor();
  });

  test('who is unblocked stays so if the answer to an older query comes after that', async ({ open }) => {
    const { author } = await authorFollowedBy(`reader-${randomUUID()}`);
    const page = await open(`/app/people/${author}`, { as: `reader-${randomUUID()}` });
    const follow = page.getByRole('button', { name: `Follow ${author}` });
    await follow.waitFor();
    let reads = 0;
    const unblocked = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('"ReaderPersonPage"')) return route.continue();
      reads += 1;
      const response = await route.fetch();
      if (reads === 1) await unblocked.promise;
      return route.fulfill({ response });
    });
    await page.getByRole('button', { name: `More about ${author}` }).click();
    await page.getByRole('menuitem', { name: `Block ${author}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await expect.poll(() => reads).toBe(1);
    await page.getByRole('main').getByRole('button', { name: 'Unblock' }).click();
    await page.getByText(`${author} is not blocked any more`).waitFor();
    unblocked.resolve();
    await expect.poll(() => reads).toBeGreaterThan(1);
    await follow.click();
    await page.getByRole('button', { name: `stop following ${author}` }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('who cannot be blocked now is shown as before, with the reason', async ({ open }) => {
    const reader = `reader-${randomUUID()}`;
    const { author, publish } = await authorFollowedBy(reader);
    await publish('Still to be read');
    const page = await open('/app', { as: reader, expected: [/ERR_FAILED/] });
    await card(page, 'Still to be read').waitFor();
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('ReaderMute') ? route.abort() : route.continue(),
    );
    await menuOf(page, 'Still to be read', author, `Mute ${author}`);
    await page.getByText('It was not done').waitFor();
    await page.getByText('The server cannot be reached', { exact: true }).waitFor();
    await card(page, 'Still to be read').waitFor();
  });
});

describe('a picture that is too large', () => {
  const picture = {
    name: 'poster.png',
    mimeType: 'image/png',
    buffer: Buffer.concat([
      Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex'),
      Buffer.alloc(21 * 1024 * 1024),
    ]),
  };

  test('is said to be so at the picture; the text stays, and the post goes without it', async ({ open }) => {
    const { author } = await authorFollowedBy(`reader-${randomUUID()}`);
    const page = await open('/app', { as: author, expected: [/status of 413|ERR_/] });
    await page.getByText('Your feed is empty').waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Text' }).fill('With a poster');
    await page.locator('input[type=file]').setInputFiles(picture);
    await dialog
      .getByRole('alert')
      .getByText(/at most 20 MB/)
      .waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('With a poster');
    await axe(page);
    await dialog.getByRole('button', { name: 'Remove poster.png' }).click();
    await dialog.getByRole('button', { name: 'Post', exact: true }).click();
    await card(page, 'With a poster').waitFor();
  });

  test('is said to be so in the profile, whose other fields stay', async ({ open }) => {
    const { author } = await authorFollowedBy(`reader-${randomUUID()}`);
    const page = await open('/app/settings?section=profile', {
      as: author,
      expected: [/status of 413|ERR_/],
    });
    await page.getByRole('textbox', { name: 'Name' }).fill('Another name');
    await page.locator('input[type=file]').setInputFiles(picture);
    await page.getByText(/at most 20 MB/).waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Another name');
  });
});

/** Chooses something from the menu of a post. */
async function menuOf(page: Page, text: string, author: string, item: string): Promise<void> {
  await card(page, text)
    .getByRole('button', { name: `More about the post by ${author}` })
    .click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
}
