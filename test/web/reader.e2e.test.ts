import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { authorFollowedBy } from './support/author.js';
import { axe, looks, test } from './support/browser.js';

describe('the reader', () => {
  test.for(looks)(
    'is readable for everybody on each of its pages at %o',
    { timeout: 300_000 },
    async (look, { open }) => {
      const page = await open('/app', { ...look, as: 'alice' });
      await page.locator('article').first().waitFor();
      await looksRight(page, look.width);
      for (const [path, shown] of PAGES) {
        await page.goto(`/app${path}`);
        await page.locator(shown).first().waitFor();
        await looksRight(page, look.width);
      }
    },
  );

  test('shows how many posts are new, and puts them on top when asked', async ({ open }) => {
    const { author, publish } = await authorFollowedBy('alice');
    const page = await open('/app', { as: 'alice' });
    await page.locator('article').first().waitFor();
    const first = await page.locator('article').first().getAttribute('data-post');
    await publish(`${author} is the first`);
    await publish(`${author} is the second`);
    const pill = page.getByRole('button', { name: '2 new posts' });
    await pill.waitFor();
    expect(await page.locator('article').first().getAttribute('data-post')).toBe(first);
    await pill.click();
    await page.locator('article').first().getByText(`${author} is the second`).waitFor();
    await pill.waitFor({ state: 'detached' });
  });

  test('misses no post and repeats none when its connection breaks', async ({ open }) => {
    const { author, publish } = await authorFollowedBy('alice');
    const page = await open('/robots.txt', { as: 'alice', expected: [/WebSocket/] });
    const socket = await breakableSocket(page);
    await page.goto('/app');
    await page.locator('article').first().waitFor();
    await publish(`${author} before`);
    await page.getByRole('button', { name: '1 new post' }).waitFor();
    await socket.break();
    await page.getByText('Connection lost').waitFor();
    await publish(`${author} while away`);
    socket.mend();
    await page.getByRole('button', { name: '2 new posts' }).click();
    await page.locator('article', { hasText: `${author} while away` }).waitFor();
    expect(await page.locator('article', { hasText: `${author} before` }).count()).toBe(1);
  });

  test('reacts at once, and takes a refused reaction back with the reason', async ({ open }) => {
    const page = await open('/app', { as: 'alice' });
    const react = page.locator('article').nth(1).getByTestId('react');
    const before = await react.getAttribute('aria-pressed');
    const after = String(before !== 'true');
    const { answer } = await hold(page, /ReaderReact\b|ReaderRemoveReaction/);
    await react.click();
    await page.locator('article').nth(1).locator(`[data-testid=react][aria-pressed=${after}]`).waitFor();
    const refusal = {
      post: null,
      userErrors: [{ code: 'NOT_FOUND', message: 'There is no such post', path: null }],
    };
    await answer({ data: { reactToPost: refusal, removeReaction: refusal } });
    await page.getByText('There is no such post').waitFor();
    await page.locator('article').nth(1).locator(`[data-testid=react][aria-pressed=${before}]`).waitFor();
  });

  test('keeps what was typed and attached over a reload, and publishes it', async ({ open }) => {
    const page = await open('/app', { as: 'alice' });
    await page.locator('article').first().waitFor();
    await page.keyboard.press('n');
    const text = page.getByRole('textbox', { name: 'Text' });
    await text.fill('A square of one color, for the test of the composer');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'square.png', mimeType: 'image/png', buffer: await square() });
    await page.getByTestId('attached').waitFor();
    await page.reload();
    await page.locator('article').first().waitFor();
    await page.keyboard.press('n');
    await page.getByTestId('attached').waitFor();
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    const card = page.locator('article', { hasText: 'A square of one color' });
    await card.getByRole('img', { name: 'Picture 1 of 1 by' }).waitFor();
    await card.locator('time').click();
    await page.getByRole('textbox', { name: 'Write a comment' }).fill('And a comment on it');
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('comment').filter({ hasText: 'And a comment on it' }).waitFor();
  });

  test('says at the file what is wrong with it', async ({ open }) => {
    const page = await open('/app', { as: 'alice', expected: [/status of 415/] });
    await page.locator('article').first().waitFor();
    await page.keyboard.press('n');
    const file = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('dialog').getByRole('alert').waitFor();
  });

  test('says why a post is in its place', async ({ open }) => {
    const page = await open('/app', { as: 'alice' });
    await page.locator('article').nth(1).getByRole('button', { name: 'Why this post' }).click();
    await page.getByTestId('why').getByText('It is recent').waitFor();
  });

  test('goes on without end, and finds the place again that was left', async ({ open }) => {
    const page = await open('/app/latest', { as: 'alice' });
    await page.locator('article').first().waitFor();
    const shown = new Set<string | null>();
    while (shown.size < 40) {
      await page.mouse.wheel(0, 700);
      for (const card of await page.locator('article').all())
        shown.add(await card.getAttribute('data-post', { timeout: 1_000 }).catch(() => null));
    }
    const left = await visiblePost(page);
    await page.locator(`article[data-post="${left}"] time`).first().click();
    await page.getByRole('heading', { name: /comment/ }).waitFor();
    await page.goBack();
    await page.locator(`article[data-post="${left}"]`).waitFor();
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(2_000);
  });

  test('shows beside the feed whom one follows as it changes', async ({ open }) => {
    const { author } = await authorFollowedBy('erin');
    const page = await open(`/app/people/${author}`, { as: 'erin' });
    const aside = page.locator('aside');
    const listed = aside.getByText(`@${author}`);
    await listed.waitFor();
    const link = aside.getByRole('link', { name: /following$/ });
    const before = Number.parseInt((await link.textContent())!, 10);
    const main = page.locator('main');
    await main.getByRole('button', { name: `Following: stop following ${author}` }).click();
    await link.getByText(String(before - 1), { exact: true }).waitFor();
    await listed.waitFor({ state: 'detached' });
    await main.getByRole('button', { name: `Follow ${author}` }).click();
    await link.getByText(String(before), { exact: true }).waitFor();
    await listed.waitFor();
  });

  test('counts a notification in the navigation as it comes', async ({ open }) => {
    const { author, publish } = await authorFollowedBy('alice');
    const page = await open('/app', { as: 'alice' });
    await page.locator('article').first().waitFor();
    const count = page.getByTestId('inbox-count').first();
    const before = (await count.count()) > 0 ? Number(await count.textContent()) : 0;
    await publish(`${author} asks @alice`);
    await count.getByText(String(before + 1)).waitFor();
    await page.goto('/app/inbox');
    await page.locator('article', { hasText: author }).first().waitFor();
  });

  test('shows a push notification in the browser until its user signs out', async ({ open }) => {
    const { author, publish } = await authorFollowedBy('alice');
    const page = await open('/app/settings?section=devices', { as: 'alice' });
    await page.context().grantPermissions(['notifications']);
    await page.getByRole('switch', { name: 'Push notifications in this browser' }).click({ force: true });
    await page.getByText('this browser', { exact: true }).waitFor();
    await publish(`${author} asks @alice by push`);
    await page.waitForFunction(
      `navigator.serviceWorker.getRegistration('/app/').then((registration) => registration.getNotifications())
        .then((shown) => shown.some(({ title, body }) => (title + body).includes('${author}')))`,
    );
    await page.goto('/app');
    await page.locator('article').first().waitFor();
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Text' }).fill('What nobody else may read');
    await page.waitForFunction(`Object.keys(sessionStorage).some((key) => key.startsWith('tidings.kept.'))`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'alice', exact: true }).filter({ visible: true }).first().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Sign in as alice').waitFor();
    await page.waitForFunction(
      `navigator.serviceWorker.getRegistration('/app/').then((registration) => registration.getNotifications())
        .then((shown) => shown.length === 0 && localStorage.getItem('tidings.push-owner') === null)`,
    );
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
  });

  test('keeps a switched-off kind of notification switched off', async ({ open }) => {
    const page = await open('/app/settings', { as: 'alice' });
    const cell = page.getByRole('switch', { name: 'Offers by SMS' });
    await cell.waitFor();
    await cell.uncheck({ force: true });
    await page.reload();
    await cell.waitFor();
    expect(await cell.isChecked()).toBe(false);
  });
});

const PAGES = [
  ['/latest', 'article'],
  ['/people/carol', 'article'],
  ['/people/carol?list=followers', '[data-person]'],
  ['/search?q=ma', '[role=feed] [data-person]'],
  ['/inbox', 'article'],
  ['/settings', 'table'],
  ['/settings?section=devices', '[role=switch]'],
  ['/settings?section=words', 'main form'],
  ['/settings?section=people', 'main section'],
  ['/settings?section=profile', 'main form'],
  ['/settings?section=appearance', '[role=radiogroup]'],
  ['/nowhere', 'h1'],
] as const;

/** A picture of one color. */
const square = (): Promise<Buffer> =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: '#0b7a6d' } })
    .png()
    .toBuffer();

async function looksRight(page: Page, width: number): Promise<void> {
  // Lists and headings come by queries of their own, in either order.
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await axe(page);
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(wide, `${page.url()} does not scroll sideways`).toBeLessThanOrEqual(width);
}

/** The page's sockets, which can be cut; while they are, no new one opens. */
async function breakableSocket(page: Page) {
  const sockets: { close: (options: { code: number }) => Promise<void> }[] = [];
  let isBroken = false;
  await page.routeWebSocket('**/graphql', (socket) => {
    if (isBroken) return void socket.close({ code: 1012 });
    socket.connectToServer();
    sockets.push(socket);
  });
  return {
    async break() {
      isBroken = true;
      await Promise.all(sockets.splice(0).map((socket) => socket.close({ code: 1012 })));
    },
    mend() {
      isBroken = false;
    },
  };
}

/** Holds the next request whose body matches, until it is answered. */
async function hold(page: Page, body: RegExp) {
  const held = Promise.withResolvers<(json: object) => Promise<void>>();
  await page.route('**/graphql', async (route) => {
    if (!body.test(route.request().postData() ?? '')) return route.continue();
    held.resolve((json) => route.fulfill({ json }));
  });
  return { answer: async (json: object) => (await held.promise)(json) };
}

const visiblePost = (page: Page): Promise<string> =>
  page.evaluate<string>(`
    [...document.querySelectorAll('article')]
      .find((card) => card.getBoundingClientRect().top > 120)
      .dataset.post
  `);
