import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';
import { call } from './support/call.js';

describe('dead letters', () => {
  test.for(looks)('are listed by channel, retried and discarded at %o', async (look, { open }) => {
    const page = await open('/console/dead-letters?channel=EMAIL', { ...look, as: 'root' });
    await page.getByText(/^\d+ open$/).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await axe(page);

    const retried = await choose(page);
    // Nothing holds the mail back when it is sent again.
    await call('root', AT_ONCE, { userId: retried.userId });
    await page.getByRole('button', { name: 'Retry 1', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry 1 dead letter?' });
    await dialog.waitFor();
    await axe(page);
    await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.getByText('1 dead letter is queued again').waitFor();
    await retried.row.waitFor({ state: 'detached' });

    const discarded = await choose(page);
    await page.getByRole('button', { name: 'Discard 1', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Discard 1 dead letter?' })
      .getByRole('button', { name: 'Discard', exact: true })
      .click();
    await page.getByText('1 dead letter was discarded').waitFor();
    await discarded.row.waitFor({ state: 'detached' });

    await page.goto(retried.link);
    const delivery = page.getByRole('region', { name: 'One delivery' });
    await delivery.getByText('Again, by root').waitFor();
    await delivery.getByText('Taken by the provider').waitFor();
    await page.goto(discarded.link);
    await delivery.getByText('Given up').first().waitFor();
    expect(await delivery.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  test('stay as they are where the question is answered with no', async ({ open }) => {
    const page = await open('/console/dead-letters?channel=EMAIL', { as: 'root' });
    const { row } = await choose(page);
    await page.getByRole('button', { name: 'Discard 1', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await row.waitFor();
  });

  test('are not shown to producers', async ({ open }) => {
    const page = await open('/console/dead-letters', { as: 'shop' });
    await page.getByText('Your role does not allow this').waitFor();
  });
});

/** The first of the demo's that is there. */
async function choose(page: Page) {
  const link = page.getByRole('table', { name: 'Dead letters' }).getByRole('link').first();
  const userId = (await link.textContent()) ?? '';
  const row = page.getByRole('checkbox', { name: `Choose the one to ${userId}`, exact: true });
  await row.check();
  return { userId, row, link: (await link.getAttribute('href')) ?? '' };
}

const AT_ONCE = `mutation ($userId: ID!) {
  updateNotificationSettings(
    input: { userId: $userId, quietHoursStart: null, quietHoursEnd: null, digestFrequency: REALTIME }
  ) { userErrors { code message } }
}`;
