import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { authorFollowedBy } from './support/author.js';
import { type Open, test } from './support/browser.js';
import { call } from './support/call.js';
import { endable } from './support/endable.js';

describe('a post that comes while a feed is open', () => {
  test('waits in each order until it is shown there', async ({ open }) => {
    const { publish, page } = await openFeed(open);
    await go(page, 'Latest');
    await card(page, 'Read already').waitFor();
    await publish('Just published');
    await pill(page, '1 new post').waitFor();
    await go(page, 'Home');
    await card(page, 'Just published').waitFor();
    await pill(page, '1 new post').waitFor({ state: 'detached' });
    await go(page, 'For you');
    await pill(page, '1 new post').click();
    await card(page, 'Just published').waitFor();
    await pill(page, '1 new post').waitFor({ state: 'detached' });
    expect(await card(page, 'Just published').count()).toBe(1);
  });

  test('waits no longer once the feed was read after it', async ({ open }) => {
    const { publish, page } = await openFeed(open);
    await publish('Just published');
    await pill(page, '1 new post').waitFor();
    await go(page, 'Latest');
    await card(page, 'Just published').waitFor();
    expect(await pill(page, '1 new post').count()).toBe(0);
  });

  test('is not lost where the feed is read again meanwhile, by an answer that was made before', async ({
    open,
  }) => {
    const { publish, page } = await openFeed(open);
    const read = await holdAnswer(page, 'ReaderFeed');
    await publish('In the answer');
    await pill(page, '1 new post').waitFor();
    await go(page, 'Home');
    await read.answered;
    await publish('Published after it');
    await pill(page, '2 new posts').waitFor();
    read.release();
    await card(page, 'In the answer').waitFor();
    await pill(page, '1 new post').click();
    await card(page, 'Published after it').waitFor();
  });
});

describe('a feed that was left', () => {
  test('is kept as it was for five minutes, and then read anew', async ({ open }) => {
    let clock!: Page['clock'];
    const { page } = await openFeed(open, async (prepared) => {
      clock = prepared.clock;
      await clock.install();
    });
    let reads = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('ReaderFeed')) reads += 1;
    });
    const leaveFor = async (minutes: number): Promise<void> => {
      await go(page, 'Settings');
      await page.getByRole('tab', { name: 'Muted words' }).waitFor();
      await clock.fastForward(minutes * 60_000);
      await page.goBack();
      await card(page, 'Read already').waitFor();
    };
    await leaveFor(4);
    expect(reads).toBe(0);
    await leaveFor(6);
    expect(reads).toBe(1);
  });
});

describe('a feed of which too much was missed', () => {
  test('says so in each order until it is read again there', async ({ open }) => {
    let updates: Awaited<ReturnType<typeof endable>>;
    const { reader, publish, page } = await openFeed(open, async (prepared) => {
      updates = await endable(prepared, 'ReaderNewPosts', 'CURSOR_EXPIRED');
    });
    await go(page, 'Latest');
    await card(page, 'Read already').waitFor();
    updates!.now();
    await pill(page, 'Many new posts').waitFor();
    await publish('Missed');
    await expect.poll(() => feedOf(reader)).toContain('Missed');
    await pill(page, 'Many new posts').click();
    await card(page, 'Missed').waitFor();
    await pill(page, 'Many new posts').waitFor({ state: 'detached' });
    await go(page, 'For you');
    await card(page, 'Read already').waitFor();
    expect(await card(page, 'Missed').count()).toBe(0);
    await pill(page, 'Many new posts').click();
    await card(page, 'Missed').waitFor();
    await publish('Followed again');
    await pill(page, '1 new post').waitFor();
  });
});

describe('what leaves one’s feed', () => {
  test('by a muted word is neither kept in it nor waits for it, until the word is muted no more', async ({
    open,
  }) => {
    const { publish, page } = await openFeed(open);
    await publish('Football yesterday');
    await pill(page, '1 new post').click();
    await card(page, 'Football yesterday').waitFor();
    await publish('Football tonight');
    await publish('Chess tonight');
    await pill(page, '2 new posts').waitFor();
    await go(page, 'Settings');
    await page.getByRole('tab', { name: 'Muted words' }).click();
    await page.getByRole('textbox', { name: 'Word or phrase' }).fill('football');
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    const unmute = page.getByRole('button', { name: 'Unmute football' });
    await unmute.waitFor();
    await go(page, 'Home');
    await card(page, 'Chess tonight').waitFor();
    await showAll(page);
    expect(await card(page, 'Football').count()).toBe(0);
    await go(page, 'Settings');
    await page.getByRole('tab', { name: 'Muted words' }).click();
    await unmute.click();
    await unmute.waitFor({ state: 'detached' });
    await go(page, 'Home');
    await card(page, 'Football tonight').waitFor();
    await card(page, 'Football yesterday').waitFor();
  });

  test('with its author, who is not followed any more, is neither kept in it nor waits for it, until they are', async ({
    open,
  }) => {
    const { reader, author, publish, page } = await openFeed(open);
    const other = await authorFollowedBy(reader);
    await publish('Not seen yet');
    await other.publish('Of somebody else');
    await pill(page, '2 new posts').waitFor();
    await card(page, 'Read already').getByRole('link', { name: author }).first().click();
    const main = page.getByRole('main');
    await main.getByRole('button', { name: `stop following ${author}` }).click();
    const followed = page.locator('aside').getByText(`@${author}`);
    await followed.waitFor({ state: 'detached' });
    await page.goBack();
    await card(page, 'Of somebody else').waitFor();
    await showAll(page);
    expect(await card(page, 'Read already').count()).toBe(0);
    expect(await card(page, 'Not seen yet').count()).toBe(0);
    await page.goForward();
    await main.getByRole('button', { name: `Follow ${author}` }).click();
    await followed.waitFor();
    await go(page, 'Home');
    await card(page, 'Read already').waitFor();
    await card(page, 'Not seen yet').waitFor();
  });

  test('at a post of it leaves at once, and the rest stays in its place', async ({ open }) => {
    const { reader, author, publish, page } = await openFeed(open);
    const other = await authorFollowedBy(reader);
    await publish('Not seen yet');
    await other.publish('Of somebody else');
    await pill(page, '2 new posts').waitFor();
    await page.getByRole('button', { name: `More about the post by ${author}` }).click();
    await page.getByRole('menuitem', { name: `Stop following ${author}` }).click();
    await card(page, 'Read already').waitFor({ state: 'detached' });
    await pill(page, '1 new post').click();
    await card(page, 'Of somebody else').waitFor();
    expect(await card(page, 'Not seen yet').count()).toBe(0);
  });
});

/** The feed of a new reader, who follows one author and has read a post of theirs. */
async function openFeed(open: Open, prepare = async (_: Page): Promise<void> => undefined) {
  const reader = `reader-${randomUUID()}`;
  const { author, publish } = await authorFollowedBy(reader);
  await publish('Read already');
  const page = await open('/robots.txt', { as: reader });
  await prepare(page);
  await page.goto('/app');
  await card(page, 'Read already').waitFor();
  return { reader, author, publish, page };
}

const card = (page: Page, text: string) => page.locator('article', { hasText: text });
const pill = (page: Page, name: string) => page.getByTestId('new-posts').filter({ hasText: name });

/** Until the other page is there, the one before it is shown. */
async function go(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).first().click();
  await page.locator('a[aria-current=page]', { hasText: name }).first().waitFor();
}

/** The texts of the first page of somebody's feed, as the API answers it. */
async function feedOf(reader: string): Promise<string[]> {
  const { feed } = await call<{ feed: { edges: { node: { content: string } }[] } }>(
    reader,
    '{ feed(first: 12) { edges { node { content } } } }',
  );
  return feed.edges.map(({ node }) => node.content);
}

/** Puts on the page what waits, if anything does. */
async function showAll(page: Page): Promise<void> {
  const waiting = page.getByTestId('new-posts');
  if ((await waiting.count()) > 0) await waiting.click();
  await waiting.waitFor({ state: 'detached' });
}

/** Holds the answer to the next query of a name on its way to the page. */
async function holdAnswer(page: Page, name: string) {
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route('**/graphql', async (route) => {
    if (isHeld || !route.request().postData()?.includes(`"${name}"`)) return route.continue();
    isHeld = true;
    const response = await route.fetch();
    answered.resolve();
    await released.promise;
    return route.fulfill({ response });
  });
  return { answered: answered.promise, release: () => released.resolve() };
}
