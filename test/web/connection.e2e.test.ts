import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject } from 'vitest';
import { startApi, type TestProcess } from '../support/processes.js';
import { authorFollowedBy } from './support/author.js';
import { axe, test } from './support/browser.js';
import { call } from './support/call.js';
import { received } from './support/received.js';

const away = [/WebSocket/, /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|Failed to fetch/];

/** Beside the api that all tests of pages share, on its servers: this one may be killed. */
let api: TestProcess;
beforeAll(async () => {
  const { databaseUrl, redisUrl } = inject('everything');
  api = await startApi({ databaseUrl, redisUrl });
});
afterAll(() => api.kill('SIGKILL'));

describe('two browsers', () => {
  test('a post that is made in one appears in the other', async ({ open }) => {
    const reader = `reader-${randomUUID()}`;
    const { author } = await authorFollowedBy(reader);
    const reading = await open('/app', { as: reader });
    await reading.getByRole('heading', { level: 1, name: 'Feed' }).waitFor({ state: 'attached' });
    const writing = await open('/app', { as: author, url: api.url });
    await writing.getByRole('heading', { level: 1, name: 'Feed' }).waitFor({ state: 'attached' });
    await publish(writing, 'From one browser to the other');
    await reading.getByRole('button', { name: '1 new post' }).click();
    await post(reading, 'From one browser to the other').waitFor();
  });

  test('both go on when the api was killed and is back: nothing is missing, nothing doubled', {
    timeout: 180_000,
  }, async ({ open }) => {
    const reader = `reader-${randomUUID()}`;
    const other = `reader-${randomUUID()}`;
    const { author, publish: say } = await authorFollowedBy(reader);
    await call(other, FOLLOW, { userId: author });
    const pages = [
      await open('/app', { as: reader, url: api.url, expected: away }),
      await open('/app', { as: other, url: api.url, expected: away }),
    ];
    const [one] = pages as [Page, Page];
    for (const page of pages) await page.getByText('Your feed is empty').waitFor();
    await say('Before it is killed');
    for (const page of pages) await page.getByRole('button', { name: '1 new post' }).waitFor();
    await one.keyboard.press('n');
    await one.getByRole('textbox', { name: 'Text' }).fill('Typed before it was killed');

    await api.kill('SIGKILL');
    for (const page of pages) await lost(page);
    await say('While it is away');
    await one.getByRole('button', { name: 'Post', exact: true }).click();
    await one.getByRole('dialog').getByText('The server cannot be reached').waitFor();

    await Promise.all([api.restart(), ...pages.map(found)]);
    for (const page of pages) await page.getByRole('button', { name: '2 new posts' }).waitFor();
    expect(await one.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Typed before it was killed');
    await one.getByRole('button', { name: 'Post', exact: true }).click();
    await post(one, 'Typed before it was killed').waitFor();
    await say('After it is back');
    for (const page of pages) {
      await page.getByRole('button', { name: '3 new posts' }).click();
      const texts = ['Before it is killed', 'While it is away', 'After it is back'];
      for (const text of texts) await post(page, text).first().waitFor();
      for (const text of texts) expect(await post(page, text).count(), text).toBe(1);
    }
  });
});

describe('the console, whose api was killed and is back', () => {
  test('follows the figures on, and says so', { timeout: 180_000 }, async ({ open }) => {
    const page = await open('/console/overview', { as: 'root', url: api.url, expected: away });
    await page.getByText(/^Live, from \d+ process/).waitFor();
    await api.kill('SIGKILL');
    await lost(page);
    await axe(page);
    await Promise.all([api.restart(), found(page)]);
    const samples = await received(page, 'operations');
    await expect.poll(samples).toBeGreaterThan(1);
    await page.getByText('Connected again').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText(/The server cannot be reached/).count()).toBe(0);
  });

  test('lists what was accepted meanwhile, once each', { timeout: 180_000 }, async ({ open }) => {
    const userId = `recipient-${randomUUID()}`;
    await notify(userId, 'before');
    const path = `/console/notifications?user=${userId}`;
    const page = await open(path, { as: 'root', url: api.url, expected: away });
    const rows = page.getByRole('table', { name: 'Search' }).locator('[data-index]');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);

    await api.kill('SIGKILL');
    // Nothing is subscribed to on this page: what it asks for by and by says that nobody answers.
    await page.getByText('What is shown may be old').waitFor();
    await notify(userId, 'meanwhile');
    await Promise.all([api.restart(), found(page)]);
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => page.getByText(/The server cannot be reached/).count()).toBe(0);
  });

  test('keeps what was typed, says that it was not done, and does it when it is asked again', {
    timeout: 180_000,
  }, async ({ open }) => {
    const page = await open('/console/people/web-away/settings', {
      as: 'root',
      url: api.url,
      expected: away,
    });
    await page.getByLabel('Email').fill('away@example.com');
    await api.kill('SIGKILL');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It was not done').waitFor();
    await page.getByText('The server cannot be reached', { exact: true }).first().waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('away@example.com');
    await Promise.all([api.restart(), found(page)]);
    expect(await page.getByLabel('Email').inputValue()).toBe('away@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();
  });
});

describe('an answer that was lost while the server was there', () => {
  const lost = [/ERR_FAILED/];

  test('is asked for once more, and nobody notices', async ({ open }) => {
    const page = await open('/robots.txt', { as: 'root', expected: lost });
    const cut = await cutFirst(page, 'SearchDeliveries');
    await page.goto('/console/notifications');
    await page.getByRole('table', { name: 'Search' }).locator('[data-index]').first().waitFor();
    expect(cut()).toBe(2);
    expect(await page.getByText(/The server cannot be reached/).count()).toBe(0);
  });

  test('of something that changes data is not asked for again by itself', async ({ open }) => {
    const userId = `web-lost-${randomUUID()}`;
    const page = await open(`/console/people/${userId}/settings`, { as: 'root', expected: lost });
    const cut = await cutFirst(page, 'PersonUpdateSettings');
    await page.getByLabel('Email').fill('lost@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It was not done').waitFor();
    expect(cut()).toBe(1);
  });
});

test('a list whose next page did not come says so at its end, and goes on', async ({ open }) => {
  const page = await open('/robots.txt', { as: 'alice', expected: away.concat(/Failed to load/) });
  let isCut = true;
  await page.route('**/graphql', (route) =>
    isCut && route.request().postData()?.includes('"isFirst":false') ? route.abort() : route.continue(),
  );
  await page.goto('/app/latest');
  await page.locator('article').first().waitFor();
  const failure = page.getByRole('alert').filter({ hasText: 'The server cannot be reached' });
  while ((await failure.count()) === 0) {
    await page.mouse.wheel(0, 700);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  isCut = false;
  const height = () => page.evaluate<number>('document.querySelector("[role=feed]").clientHeight');
  const shown = await height();
  await failure.getByRole('button', { name: 'Try again' }).click();
  await failure.waitFor({ state: 'detached' });
  await expect.poll(height).toBeGreaterThan(shown);
});

describe('the reader without a network', () => {
  test('says so, opens all the same, and goes on when it is there', async ({ open }) => {
    const reader = `reader-${randomUUID()}`;
    const { publish: say } = await authorFollowedBy(reader);
    await say('Before the network is gone');
    const page = await open('/app/latest', {
      as: reader,
      expected: [/ERR_INTERNET_DISCONNECTED/, /WebSocket/],
    });
    await post(page, 'Before the network is gone').waitFor();
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
    // By the service worker, which keeps what is loaded from now on.
    await page.reload();
    await post(page, 'Before the network is gone').waitFor();

    await page.context().setOffline(true);
    await page.getByText('What is shown may be old').waitFor();
    await post(page, 'Before the network is gone').waitFor();
    await page.reload();
    await page.getByText('What is shown may be old').waitFor();
    await page.getByText('This could not be loaded').first().waitFor();
    await axe(page);

    await Promise.all([page.context().setOffline(false), found(page)]);
    await post(page, 'Before the network is gone').waitFor();
    await say('After the network is back');
    await page.getByRole('button', { name: '1 new post' }).click();
    await post(page, 'After the network is back').waitFor();
  });

  test('is there at its first address, too', async ({ open }) => {
    const reader = `reader-${randomUUID()}`;
    const page = await open('/app', { as: reader, expected: [/ERR_INTERNET_DISCONNECTED/, /WebSocket/] });
    await page.getByText('Your feed is empty').waitFor();
    expect(new URL(page.url()).pathname).toBe('/app');
    await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true);
    await page.reload();
    await page.getByText('Your feed is empty').waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText('What is shown may be old').waitFor();
    expect(new URL(page.url()).pathname).toBe('/app');
  });
});

/** Loses the answer to the first request of an operation. @returns how many there were */
async function cutFirst(page: Page, operation: string): Promise<() => number> {
  let count = 0;
  await page.route('**/graphql', (route) => {
    if (!route.request().postData()?.includes(`"${operation}"`)) return route.continue();
    count += 1;
    return count === 1 ? route.abort() : route.continue();
  });
  return () => count;
}

const lost = (page: Page) =>
  page
    .getByText(/Connection lost|What is shown may be old/)
    .first()
    .waitFor();

/** It is said for a few seconds: to be asked for before it happens. */
const found = (page: Page) => page.getByText('Connected again').waitFor({ timeout: 150_000 });

const post = (page: Page, text: string) => page.locator('article', { hasText: text });

async function publish(page: Page, text: string): Promise<void> {
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Text' }).fill(text);
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await post(page, text).waitFor();
}

/** Resolves once the search finds it, which a worker's index decides. */
async function notify(userId: string, name: string): Promise<void> {
  await call(userId, ADDRESS, { email: `${userId}@example.com` });
  await call('shop', SEND, {
    input: {
      notificationId: `${name}-${userId}`,
      type: 'ORDER_SHIPPED',
      templateId: 'order-shipped.email.en',
      recipients: [{ userId, channels: ['EMAIL'], variables: { order_id: '1', tracking_number: 'T-1' } }],
    },
  });
  interface Found {
    readonly searchDeliveries: {
      readonly edges: readonly { readonly node: { readonly notificationId: string } }[];
    };
  }
  const ids = async () => {
    const { searchDeliveries } = await call<Found>('root', FIND, { userId });
    return searchDeliveries.edges.map(({ node }) => node.notificationId);
  };
  await expect.poll(ids).toContain(`${name}-${userId}`);
}

const ADDRESS = `mutation ($email: String!) {
  updateNotificationSettings(input: { email: $email }) { userErrors { code message } }
}`;

const FIND = `query ($userId: ID!) {
  searchDeliveries(filter: { userId: $userId }, first: 10) { edges { node { notificationId } } }
}`;

const FOLLOW = `mutation ($userId: ID!) {
  followUser(input: { userId: $userId }) { userErrors { code } }
}`;

const SEND = `mutation ($input: SendNotificationInput!) {
  sendNotification(input: $input) { requestId userErrors { code message } }
}`;
