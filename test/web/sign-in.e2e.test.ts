import { describe, expect } from 'vitest';
import { signToken } from '../../src/platform/auth/auth.js';
import { axe, test } from './support/browser.js';
import { tokenOf } from './support/call.js';
import { received } from './support/received.js';

const refused = [/status of 401/, /WebSocket/];
const ofAnotherServer = () =>
  signToken('a secret that another server has, and not this one', {
    userId: 'root',
    roles: ['user', 'admin'],
    plan: 'pro',
    expiresInSeconds: 3_600,
  });

describe('signing in', () => {
  test('says of a text that is no token what a token looks like, and keeps it', async ({ open }) => {
    const page = await open('/console/overview');
    await page.getByLabel('Token or API key').fill('no token');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This is neither a token nor an API key').waitFor();
    expect(await page.getByLabel('Token or API key').inputValue()).toBe('no token');
    await axe(page);
  });

  test.for(['/console/overview', '/console/notifications', '/app'])(
    'another server’s token is not taken at %s: the page asks for one that is',
    async (path, { open }) => {
      const page = await open(path, { token: await ofAnotherServer(), expected: refused });
      const dialog = page.getByRole('dialog', { name: 'Sign in' });
      await dialog.getByText('The server does not accept this token').waitFor();
      await axe(page);
      await dialog.getByLabel('Token or API key').fill(await tokenOf('root'));
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => page.getByText('This could not be loaded').count()).toBe(0);
      await page
        .getByText(/^Live, from \d+ process/)
        .or(page.getByRole('table', { name: 'Search' }))
        .or(page.locator('article'))
        .or(page.getByText('Your feed is empty'))
        .first()
        .waitFor();
    },
  );

  test('what the former token is refused for after that is asked for by the new one', async ({ open }) => {
    const page = await open('/robots.txt', { token: await ofAnotherServer(), expected: refused });
    const isHistory = (text: string | null) => text?.includes('"OverviewHistory"') ?? false;
    const { promise: isSignedIn, resolve: release } = Promise.withResolvers<void>();
    let isFirst = true;
    await page.route('**/graphql', async (route) => {
      const isHeld = isFirst && isHistory(route.request().postData());
      if (isHeld) {
        isFirst = false;
        await isSignedIn;
      }
      await route.continue();
    });
    await page.goto('/console/overview');
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('Token or API key').fill(await tokenOf('root'));
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const read = page.waitForResponse(
      (response) => isHistory(response.request().postData()) && response.status() === 200,
    );
    release();
    await read;
    await page.getByText(/^Live, from \d+ process/).waitFor();
    expect(await dialog.count()).toBe(0);
    expect(await page.getByText('This could not be loaded').count()).toBe(0);
  });

  test('a token that expires is asked for again where it happens, and what was typed is kept', async ({
    open,
  }) => {
    const expired = await tokenOf('root', -60);
    const page = await open('/console/people/web-stale/settings', { as: 'root', expected: refused });
    await page.getByLabel('Email').fill('stale@example.com');
    let isStale = true;
    await page.route('**/graphql', (route) => {
      const headers = { ...route.request().headers(), authorization: `Bearer ${expired}` };
      return isStale ? route.continue({ headers }) : route.continue();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByText('what is on this page stays').waitFor();
    isStale = false;
    await dialog.getByLabel('Token or API key').fill(await tokenOf('root'));
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Email').inputValue()).toBe('stale@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();
  });

  test('live updates come again once there is a good token', async ({ open }) => {
    const page = await open('/console/overview', { token: await tokenOf('root', 5), expected: refused });
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.waitFor();
    await dialog.getByLabel('Token or API key').fill(await tokenOf('root'));
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/^Live, from \d+ process/).waitFor();
    const samples = await received(page, 'operations');
    await expect.poll(samples).toBeGreaterThan(1);
  });

  test('what a role does not allow is said at the page, and not offered in the navigation', async ({
    open,
  }) => {
    const page = await open('/console/limits', { as: 'shop' });
    await page.getByText('Your role does not allow this').waitFor();
    await page.getByText('This page is for: admin.').waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Limits' }).count()).toBe(0);
    await axe(page);
  });

  test('a role that was taken away is said where it is missed, and what was typed is kept', async ({
    open,
  }) => {
    const page = await open('/console/people/alice/settings', { as: 'root' });
    await page.getByLabel('Phone').fill('+4915112345678');
    const lesser = await tokenOf('shop');
    await page.route('**/graphql', (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${lesser}` } }),
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It was not done').waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('+4915112345678');
  });
});
