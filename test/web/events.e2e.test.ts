import { describe, expect, inject } from 'vitest';
import { demoUsers } from '../../src/demo/demo-users.js';
import { signToken } from '../../src/platform/auth/auth.js';
import { testAuthSecret } from '../support/processes.js';
import { axe, looks, test } from './support/browser.js';

describe('the log of events', () => {
  test.for(looks)('is filtered by stream, and opens one event, at %o', async (look, { open }) => {
    const page = await open('/console/events', { ...look, as: 'root' });
    await page.getByRole('table', { name: 'Log' }).waitFor();
    await axe(page);
    await page.getByLabel('Stream').fill('Order-order-0600');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.waitForURL(/streamId=Order-order-0600/);
    await page.getByText('OrderPlaced').waitFor();
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'OrderPlaced' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'OrderPlaced' }).waitFor();
    await page.locator('.cm-content').waitFor();
    await axe(page);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, 'it does not scroll sideways').toBeLessThanOrEqual(look.width);
  });

  test('shows an event that is recorded meanwhile, and not while it is paused', async ({ open }) => {
    const page = await open('/console/events', { as: 'root' });
    await page.getByRole('table', { name: 'Log' }).waitFor();
    const content = `A post for the log of events, ${Date.now()}`;
    const postId = await publish(content);
    await page.getByText(`Post-${postId}`).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    const later = await publish(`${content}, later`);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText(`Post-${later}`).waitFor();
  });
});

test('a projector is rebuilt once that is confirmed', async ({ open }) => {
  const page = await open('/console/events/projectors', { as: 'root' });
  const projector = page.getByRole('listitem').filter({ has: page.getByText('products', { exact: true }) });
  await projector.getByRole('button', { name: 'Rebuild…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/made again from the whole log/).waitFor();
  await axe(page);
  await dialog.getByRole('button', { name: 'Rebuild', exact: true }).click();
  await page.getByText('products will be rebuilt').waitFor();
  await projector.getByText(/rebuilt .*(second|now)/).waitFor();
});

/** @returns the id of a post that alice has published */
async function publish(content: string): Promise<string> {
  const alice = demoUsers.find(({ userId }) => userId === 'alice')!;
  const token = await signToken(testAuthSecret, { ...alice, expiresInSeconds: 3_600 });
  const answer = await fetch(`${inject('everything').url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      query: 'mutation ($content: String!) { publishPost(input: { content: $content }) { post { postId } } }',
      variables: { content },
    }),
  });
  const { data } = (await answer.json()) as { data: { publishPost: { post: { postId: string } } } };
  return data.publishPost.post.postId;
}
