import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import type { Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { test } from './support/browser.js';
import { call } from './support/call.js';

const NAME = `mutation ($name: String!) {
  upsertProfile(input: { displayName: $name }) { userErrors { code } }
}`;

const NO_ANSWER = /net::ERR_FAILED/;

interface Asked {
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const askedBy = (route: Route): Asked => route.request().postDataJSON() as Asked;

/** What the page asks of the API goes through `answer`, which may fail or delay it. */
const intercept = (page: Page, answer: (asked: Asked, route: Route) => Promise<void>): Promise<unknown> =>
  page.route('**/graphql', (route) => answer(askedBy(route), route));

const focused = (page: Page): Promise<string | undefined> =>
  page.evaluate('document.activeElement?.id || document.activeElement?.tagName');

describe('fields whose value is in the URL', () => {
  test('keep each letter, however fast it is typed', async ({ open }) => {
    const page = await open('/console/people', { as: 'root' });
    const field = page.getByRole('searchbox', { name: 'Search people' });
    await field.pressSequentially('alice moreau from bremen');
    await page.waitForURL(/query=alice\+moreau\+from\+bremen/);
    expect(await field.inputValue()).toBe('alice moreau from bremen');
  });

  test('keep a space at which the typing pauses, and follow what clears them', async ({ open }) => {
    const page = await open('/console/notifications', { as: 'root' });
    const field = page.getByLabel('Text, address or id');
    await field.pressSequentially('order ');
    await page.waitForURL(/search=order$/);
    await field.pressSequentially('shipped');
    await page.waitForURL(/search=order\+shipped/);
    expect(await field.inputValue()).toBe('order shipped');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => field.inputValue()).toBe('');
  });
});

describe('a list', () => {
  test('says that its next page could not be read, and reads it when it is asked again', async ({ open }) => {
    const page = await open('/robots.txt', { as: 'root', expected: [NO_ANSWER] });
    let isAway = true;
    await intercept(page, (asked, route) =>
      isAway && asked.operationName === 'SearchDeliveries' && asked.variables?.after
        ? route.abort()
        : route.continue(),
    );
    await page.goto('/console/notifications');
    const table = page.getByRole('table', { name: 'Search' });
    await table.getByRole('row').nth(1).waitFor();
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    const failure = page.getByRole('alert').filter({ hasText: 'This could not be loaded' });
    await failure.getByText('The server cannot be reached').waitFor();
    isAway = false;
    await failure.getByRole('button', { name: 'Try again' }).click();
    await failure.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate('document.querySelectorAll("[role=row][data-index]").length'))
      .toBeGreaterThan(10);
  });

  test('is found where it was left by who goes back to it', async ({ open }) => {
    const page = await open('/console/notifications', { as: 'root' });
    const rows = page.getByRole('table', { name: 'Search' }).getByRole('row');
    await rows.nth(1).waitFor();
    await expect
      .poll(async () => {
        await page.evaluate('window.scrollBy(0, 1200)');
        return page.locator('[role=row][data-index="90"]').count();
      })
      .toBe(1);
    const left = page.locator('[role=row][data-index="90"]');
    await left.scrollIntoViewIfNeeded();
    const href = await left.getByRole('link').first().getAttribute('href');
    await left.getByRole('cell').first().click();
    await page.waitForURL(/\/notifications\/.+/);
    await expect
      .poll(() => page.evaluate('window.scrollY'), { message: 'another page begins at its top' })
      .toBe(0);
    await page.goBack();
    await left.waitFor();
    expect(await left.getByRole('link').first().getAttribute('href')).toBe(href);
    const box = await left.boundingBox();
    expect(box!.y).toBeGreaterThan(-50);
    expect(box!.y).toBeLessThan(950);
  });
});

describe('the focus', () => {
  test('goes to the content where the link that had it is gone', async ({ open }) => {
    const page = await open('/console/commerce', { as: 'root' });
    const link = page.getByRole('table', { name: 'Orders' }).getByRole('link').first();
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/commerce\/orders\//);
    await expect.poll(() => focused(page)).toBe('content');
  });
});

describe('dialogs and messages', () => {
  test('have a button to close them that says so, in the language of the page', async ({ open }) => {
    const page = await open('/app', { as: 'alice', locale: 'de-DE' });
    await page.getByRole('button', { name: 'Neuer Beitrag' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Schließen' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('a name without spaces', () => {
  const name = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle';

  test.for(['/app/people/', '/console/people/'])('breaks at %s on a phone', async (path, { open }) => {
    const userId = `long-${path.split('/')[1]}-${process.pid}`;
    await call(userId, NAME, { name });
    const page = await open(`${path}${userId}`, { as: 'root', width: 360 });
    await page.getByText(name).last().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });
});

describe('live updates', () => {
  test('are not missed where nothing waits for them', async ({ open }) => {
    const page = await open('/console/overview', { as: 'root' });
    await page.getByText(/^Live, from/).waitFor();
    await page.getByRole('button', { name: 'root' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: /Sign in as root/ }).click();
    await page.getByText(/^Live, from/).waitFor();
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('heading', { name: 'Templates' }).waitFor();
    await expect.poll(() => page.getByText('Connection lost').count()).toBe(0);
  });
});

describe('what is shown before it is done', () => {
  test('is sent in the order in which it was done', async ({ open }) => {
    const page = await open('/robots.txt', { as: 'alice' });
    const sent: string[] = [];
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await intercept(page, async ({ operationName = '' }, route) => {
      if (/^Reader(React|RemoveReaction)$/.test(operationName)) sent.push(operationName);
      if (operationName === 'ReaderReact') await isReleased;
      await route.continue();
    });
    await page.goto('/app/latest');
    const like = page.getByTestId('react').first();
    await like.waitFor();
    if ((await like.getAttribute('aria-pressed')) === 'true') {
      await like.click();
      await expect.poll(() => sent).toEqual(['ReaderRemoveReaction']);
      sent.length = 0;
    }
    await like.click();
    await expect.poll(() => sent).toEqual(['ReaderReact']);
    await expect.poll(() => like.getAttribute('aria-pressed')).toBe('true');
    await like.click();
    await expect.poll(() => like.getAttribute('aria-pressed')).toBe('false');
    expect(sent).toEqual(['ReaderReact']);
    release();
    await expect.poll(() => sent).toEqual(['ReaderReact', 'ReaderRemoveReaction']);
    await expect.poll(() => like.getAttribute('aria-pressed')).toBe('false');
  });
});

describe('keys', () => {
  test('that are single letters can be switched off', async ({ open }) => {
    const page = await open('/app/settings?section=appearance', { as: 'alice' });
    await page.getByRole('switch', { name: 'Single letters are commands' }).click();
    await page.getByRole('heading', { name: 'Settings' }).click();
    await page.keyboard.press('n');
    await page.keyboard.press('/');
    await page.getByRole('switch', { name: 'Single letters are commands' }).click();
    expect(page.url()).toMatch(/settings/);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('heading', { name: 'Settings' }).click();
    await page.keyboard.press('/');
    await page.waitForURL(/\/app\/search/);
  });
});

describe('the palette', () => {
  test('opens pages outside of the console', async ({ open }) => {
    const page = await open('/console/commerce', { as: 'root' });
    await page.getByRole('table', { name: 'Orders' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search everything' }).fill('guides');
    await page.getByRole('button', { name: 'Guides', exact: true }).click();
    await page.waitForURL(/\/docs\/README$/);
  });
});

describe('the overview', () => {
  test('leads from every figure to something that is there', async ({ open }) => {
    const page = await open('/console/overview', { as: 'root' });
    await page.getByText(/^Live, from/).waitFor();
    const links = await page.evaluate<string[]>(
      '[...document.querySelectorAll("#content a[href]")].map((link) => link.getAttribute("href"))',
    );
    expect(links.length).toBeGreaterThan(14);
    // One of each page: filters in a URL lead to the same one.
    const pages = new Map(links.map((link) => [link.replace(/[?#].*$/, ''), link]));
    for (const link of pages.values()) {
      await page.goto(link);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.getByText('There is no such page').count(), link).toBe(0);
    }
    expect(links.filter((link) => /\/console\/people\/?$/.test(link))).toEqual([]);
  });
});

describe('what is copied as GraphQL', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  test.for([
    '/console/notifications',
    '/console/people/alice/limits',
    '/console/suppressions',
    '/console/webhooks',
    '/console/api-keys',
    '/console/events',
    '/console/commerce/orders/order-0600',
    '/console/analytics',
  ])('at %s is a whole document', async (path, { open }) => {
    const page = await open(path, { as: 'root' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as GraphQL' }).first().click();
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([]);
  });
});
