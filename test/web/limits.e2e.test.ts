import { afterAll, beforeAll, describe, expect, inject } from 'vitest';
import { demoUsers } from '../../src/demo/demo-users.js';
import { signToken } from '../../src/platform/auth/auth.js';
import { testAuthSecret } from '../support/processes.js';
import { axe, looks, test } from './support/browser.js';

// The server is shared by all tests of pages: what they put here changes comments alone, and is put back.
let original: string;
beforeAll(async () => {
  original = await documentInForce();
});
afterAll(() => put(original));

describe('rules', () => {
  test.for(looks)('are checked while they are written, at %o', async (look, { open }) => {
    const page = await open('/console/limits', { ...look, as: 'root' });
    const editor = page.getByRole('textbox', { name: 'Rules' });
    await editor.click({ position: { x: 60, y: 8 } });
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('nope: 1');
    await page.keyboard.press('Enter');
    await page.getByText("line 1, column 1: unknown key 'nope'").waitFor();
    await page.locator('.cm-lint-marker-error').waitFor();
    expect(await page.getByRole('button', { name: 'Put in force…' }).isDisabled()).toBe(true);
    await axe(page);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, 'it does not scroll sideways').toBeLessThanOrEqual(look.width);

    await page.reload();
    await page.getByText("line 1, column 1: unknown key 'nope'").waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('As in force.').waitFor();
  });

  test('are tried, put, found in the history, and those before them restored', async ({ open }) => {
    const page = await open('/console/limits', { as: 'root' });
    await page.getByRole('textbox', { name: 'Rules' }).click({ position: { x: 60, y: 8 } });
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# Looked at.');
    await page.keyboard.press('Enter');
    await page.getByText('Valid, not in force yet.').waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('heading', { name: 'What it would change' }).waitFor();
    await page.getByRole('button', { name: 'Put in force…' }).click();
    await page.getByRole('dialog').getByText('# Looked at.').waitFor();
    await axe(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Put in force' }).click();
    await page.getByText(/^Version \w+ is in force$/).waitFor();
    expect(await documentInForce()).toBe(`# Looked at.\n${original}`);

    await put(original);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Difference' }).nth(1).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Restore…' }).click();
    await dialog.getByRole('button', { name: 'Put in force' }).click();
    await page
      .getByText(/^Version \w+ is in force$/)
      .last()
      .waitFor();
    await expect.poll(documentInForce).toBe(`# Looked at.\n${original}`);
  });

  test('that another admin put meanwhile are shown before they are overwritten', async ({ open }) => {
    const page = await open('/console/limits', { as: 'root' });
    await page.getByRole('textbox', { name: 'Rules' }).click({ position: { x: 60, y: 8 } });
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# Mine.');
    await page.keyboard.press('Enter');
    await page.getByText('Valid, not in force yet.').waitFor();
    await put(`${original}\n# Of another admin, ${Date.now()}.\n`);
    await page.getByRole('button', { name: 'Put in force…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The rules in force have changed since you began').waitFor();
    await dialog.getByText('# Of another admin').waitFor();
    await axe(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('# Mine.').first().waitFor();
  });

  test('that another admin puts in the very moment are not overwritten either', async ({ open }) => {
    const page = await open('/console/limits', { as: 'root' });
    await page.getByRole('textbox', { name: 'Rules' }).click({ position: { x: 60, y: 8 } });
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# Mine, too.');
    await page.keyboard.press('Enter');
    await page.getByText('Valid, not in force yet.').waitFor();
    await page.getByRole('button', { name: 'Put in force…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('# Mine, too.').waitFor();
    // The page looks at what is in force no more until it is refused.
    const { promise: isRefused, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('"LimitsRules"')) await isRefused;
      await route.continue();
    });
    const theirs = `${original}\n# Of a third admin, ${Date.now()}.\n`;
    await put(theirs);
    await dialog.getByRole('button', { name: 'Put in force' }).click();
    await page.getByText(/^Expected version \w+, but version \w+ is in force/).waitFor();
    goOn();
    await dialog.getByText('The rules in force have changed since you began').waitFor();
    await dialog.getByText('# Of a third admin').waitFor();
    expect(await documentInForce()).toBe(theirs);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  test('that were just put are those in force at once, and writing goes on from them', async ({ open }) => {
    const page = await open('/console/limits', { as: 'root' });
    const editor = page.getByRole('textbox', { name: 'Rules' });
    await editor.click({ position: { x: 60, y: 8 } });
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# Put now.');
    await page.keyboard.press('Enter');
    await page.getByText('Valid, not in force yet.').waitFor();
    await page.getByRole('button', { name: 'Put in force…' }).click();
    await page.getByRole('dialog').getByText('# Put now.').waitFor();
    const { promise: isLookedAt, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('"LimitsRules"')) await isLookedAt;
      await route.continue();
    });
    // The next look is under way while they are put, and it is slow.
    await page.waitForRequest((request) => Boolean(request.postData()?.includes('"LimitsRules"')));
    await page.getByRole('dialog').getByRole('button', { name: 'Put in force' }).click();
    await page.getByText(/^Version \w+ is in force$/).waitFor();
    await page.getByText('As in force.').waitFor();
    await editor.getByText('# Put now.').waitFor();

    await editor.click({ position: { x: 60, y: 8 } });
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# And more.');
    await page.keyboard.press('Enter');
    await page.getByText('Valid, not in force yet.').waitFor();
    await editor.getByText('# Put now.').waitFor();
    const lookedAgain = page.waitForResponse((answer) =>
      Boolean(answer.request().postData()?.includes('"LimitsRules"')),
    );
    goOn();
    await lookedAgain;
    await page.getByText('Valid, not in force yet.').waitFor();
    expect(await page.getByText('The rules in force have changed since you began').count()).toBe(0);
  });

  test('are restored, and the history says at once that they are in force', async ({ open }) => {
    const ours = `# To restore, ${Date.now()}.\n${original}`;
    await put(ours);
    await put(original);
    const page = await open('/console/limits/history', { as: 'root' });
    const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Difference' }) });
    await rows.nth(0).getByText('in force').waitFor();
    await rows.nth(1).getByRole('link', { name: 'Difference' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Restore…' }).click();
    await dialog.getByRole('button', { name: 'Put in force' }).click();
    await page.getByText(/^Version \w+ is in force$/).waitFor();
    await expect.poll(documentInForce).toBe(ours);
    await rows.nth(0).getByText('in force').waitFor();
    await rows.nth(0).getByRole('link', { name: 'Difference' }).click();
    await dialog.getByText('# To restore').first().waitFor();
    expect(await dialog.getByRole('button', { name: 'Restore…' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await rows.nth(1).getByRole('link', { name: 'Difference' }).click();
    await expect.poll(() => dialog.getByRole('button', { name: 'Restore…' }).isEnabled()).toBe(true);
  });

  test('that could not be checked are checked again, and can be put then', async ({ open }) => {
    const page = await open('/console/limits', { as: 'root' });
    let refusals = 1;
    await page.route('**/graphql', async (route) => {
      const asked = route.request().postData();
      const isIt = asked?.includes('"LimitsValidate"') && asked.includes('# Checked twice.');
      if (!isIt || refusals === 0) return route.continue();
      refusals -= 1;
      await route.fulfill({
        json: {
          errors: [{ message: 'Too many', extensions: { code: 'RATE_LIMIT_EXCEEDED', retryAfter: 1 } }],
        },
      });
    });
    await page.getByRole('textbox', { name: 'Rules' }).click({ position: { x: 60, y: 8 } });
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# Checked twice.');
    await page.getByText('Not checked, and asked again in a moment').waitFor();
    expect(await page.getByRole('button', { name: 'Put in force…' }).isDisabled()).toBe(true);
    await page.getByText('Valid, not in force yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Put in force…' }).isEnabled()).toBe(true);
  });
});

test.for(looks)('a request is described, and its limits shown, at %o', async (look, { open }) => {
  const page = await open('/console/limits/preview', { ...look, as: 'root' });
  await page.getByLabel('User').fill('alice');
  await page.getByLabel('Plan').fill('pro');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('allowed').waitFor();
  await page.getByText('user_id/plan=pro').first().waitFor();
  await axe(page);
});

async function ask<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
  const root = demoUsers.find(({ userId }) => userId === 'root')!;
  const token = await signToken(testAuthSecret, { ...root, expiresInSeconds: 3_600 });
  const answer = await fetch(`${inject('everything').url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data } = (await answer.json()) as { data: T };
  return data;
}

async function documentInForce(): Promise<string> {
  const { rateLimitRules } = await ask<{ rateLimitRules: { document: string } }>(
    '{ rateLimitRules { document } }',
  );
  return rateLimitRules.document;
}

const put = (document: string): Promise<unknown> =>
  ask(
    'mutation ($document: String!) { putRateLimitRules(input: { document: $document }) { userErrors { code } } }',
    {
      document,
    },
  );
