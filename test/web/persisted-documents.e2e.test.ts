import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject } from 'vitest';
import { signToken } from '../../src/platform/auth/auth.js';
import { startApi, type TestProcess, testAuthSecret } from '../support/processes.js';
import { test } from './support/browser.js';
import { call } from './support/call.js';

const AUTHOR = `persisted-writer-${process.pid}`;

let strict: TestProcess;
beforeAll(async () => {
  const { databaseUrl, redisUrl } = inject('everything');
  strict = await startApi({ databaseUrl, redisUrl, env: { PERSISTED_DOCUMENTS_ONLY: 'true' } });
  await asAuthor('mutation { upsertProfile(input: { displayName: "Writer" }) { userErrors { code } } }');
  await call(
    'shop',
    'mutation ($userId: ID!) { followUser(input: { userId: $userId }) { userErrors { code } } }',
    { userId: AUTHOR },
  );
});
afterAll(() => strict?.kill('SIGKILL'));

describe('where only persisted documents are taken', () => {
  test('the text of another one is refused', async () => {
    expect(await askAsAuthor(strict.url, '{ me { id } }')).toMatchObject({
      errors: [{ extensions: { code: 'PERSISTED_DOCUMENT_REQUIRED' } }],
    });
  });

  test('the reader reads, reacts and gets new posts', async ({ open }) => {
    await publish('first');
    const page = await open('/app', { as: 'shop', url: strict.url });
    const react = page.locator('article', { hasText: `first of ${AUTHOR}` }).getByTestId('react');
    await react.waitFor();
    await publish('second');
    await page.getByRole('button', { name: '1 new post' }).click();
    await page.locator('article', { hasText: `second of ${AUTHOR}` }).waitFor();
    const saved = page.waitForResponse((answer) =>
      /"operationName":"ReaderReact"/.test(answer.request().postData() ?? ''),
    );
    await react.click();
    expect(await (await saved).json()).toMatchObject({ data: { reactToPost: { userErrors: [] } } });
    await page.reload();
    await page.locator('article [data-testid=react][aria-pressed=true]').waitFor();
  });

  test('a producer chooses a template in the console', async ({ open }) => {
    const page = await open('/console/send?template=no.such.template&to=alice&type=ORDER_SHIPPED', {
      as: 'shop',
      url: strict.url,
    });
    await page.getByText('There is no active template no.such.template').waitFor();
    await page.getByRole('combobox', { name: 'Template' }).waitFor();
  });

  test('nobody was refused but who sent a text', async () => {
    const metrics = await (await fetch(`${strict.url}/metrics`)).text();
    expect(metrics).toContain('graphql_documents_refused_total{reason="unknown_id",process="api"} 0');
    expect(metrics).toContain('graphql_documents_refused_total{reason="not_persisted",process="api"} 1');
  });
});

test('a page whose documents an api of another release does not know sends their texts', async ({ open }) => {
  await publish('for another release');
  const page = await open('/robots.txt', {
    as: 'shop',
    expected: [/sent a document by its text/, /status of 400/],
  });
  const refused = await knowsNoIds(page);
  await page.goto('/app');
  await page.locator('article', { hasText: `for another release of ${AUTHOR}` }).waitFor();
  await publish('live for another release');
  await page.getByRole('button', { name: '1 new post' }).waitFor();
  expect(refused).toEqual(new Set(['http', 'websocket']));
});

/** Has every id refused, as an api does that has no file of them. @returns over what ids were refused so far */
async function knowsNoIds(page: Page): Promise<ReadonlySet<string>> {
  const refused = new Set<string>();
  const errors = [
    {
      message: 'There is no persisted document',
      extensions: { code: 'PERSISTED_DOCUMENT_NOT_FOUND' },
    },
  ];
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('"persistedQuery"')) return route.continue();
    refused.add('http');
    return route.fulfill({
      status: 400,
      contentType: 'application/graphql-response+json',
      body: JSON.stringify({ errors }),
    });
  });
  await page.routeWebSocket('**/graphql', (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (!String(message).includes('"persistedQuery"')) return server.send(message);
      refused.add('websocket');
      const { id } = JSON.parse(String(message)) as { id: string };
      socket.send(JSON.stringify({ id, type: 'error', payload: errors }));
    });
  });
  return refused;
}

const publish = (content: string): Promise<void> =>
  asAuthor(
    'mutation ($content: String!) { publishPost(input: { content: $content }) { userErrors { code } } }',
    { content: `${content} of ${AUTHOR}` },
  );

async function asAuthor(query: string, variables: object = {}): Promise<void> {
  const { data } = (await askAsAuthor(inject('everything').url, query, variables)) as { data: object };
  expect(Object.values(data)).toEqual([{ userErrors: [] }]);
}

async function askAsAuthor(url: string, query: string, variables: object = {}): Promise<unknown> {
  const token = await signToken(testAuthSecret, {
    userId: AUTHOR,
    roles: ['user'],
    plan: 'pro',
    expiresInSeconds: 3_600,
  });
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}
