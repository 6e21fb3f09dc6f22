import { describe, expect, inject } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('the front page', () => {
  test.for(looks)('is readable for everybody at %o', async (look, { open }) => {
    const page = await open('/', look);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await axe(page);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, 'it does not scroll sideways').toBeLessThanOrEqual(look.width);
  });
});

describe('an unknown path', () => {
  test.for(looks)('is a page that leads on at %o', async (look, { open }) => {
    const page = await open('/nowhere/at/all', { ...look, expected: [/status of 404/] });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('a[href="/"]').first().waitFor();
    await axe(page);
  });
});

test('an inline script does not run', async ({ open }) => {
  const page = await open('/', { expected: [/Content Security Policy/] });
  await page.evaluate(`
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
  `);
  expect(await page.evaluate('window.ran ?? false')).toBe(false);
});

test('pages may open a socket to their server, and read what the sandbox got', async ({ open }) => {
  const page = await open('/');
  const opened = await page.evaluate(`new Promise((resolve) => {
    const socket = new WebSocket('ws://' + location.host + '/graphql', 'graphql-transport-ws');
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
  })`);
  expect(opened).toBe('open');
  const { sandboxUrl } = inject('everything');
  expect(await page.evaluate(`fetch('/web-config.json').then((answer) => answer.json())`)).toMatchObject({
    environment: 'development',
    graphiql: true,
    sandboxUrl,
    demoTokens: [{ userId: 'alice' }, { userId: 'shop' }, { userId: 'root' }],
  });
  expect(await page.evaluate(`fetch('${sandboxUrl}/behaviour').then((answer) => answer.status)`)).toBe(200);
});

test('browsers find the icon that they look for', async ({ open }) => {
  const page = await open('/favicon.ico');
  expect(await page.evaluate('document.documentElement.tagName')).toBe('svg');
});

test('GraphiQL loads under the policy of pages, its workers too', async ({ open }) => {
  const page = await open('/graphiql', { as: 'alice' });
  await page.locator('.graphiql-container').waitFor();
  await page.locator('.monaco-editor').first().waitFor();
});
