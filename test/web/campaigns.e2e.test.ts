import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

const filter = 'userId in ("alice", "bob", "carol")';

describe('campaigns', () => {
  test.for(looks)('are listed with their progress at %o', async (look, { open }) => {
    const page = await open('/console/campaigns', { ...look, as: 'root' });
    await page.getByRole('link', { name: 'autumn-sale' }).waitFor();
    await axe(page);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, 'it does not scroll sideways').toBeLessThanOrEqual(look.width);
  });

  test.for(looks)('are written, tried out and sent at %o', async (look, { open }) => {
    const page = await open('/console/campaigns/new', { ...look, as: 'root' });
    const batchId = `browser-${randomUUID()}`;
    await write(page, batchId);
    await page.getByText('About 3 users match now').waitFor();

    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('3 users would get it.').waitFor();
    await axe(page);

    await page.getByRole('button', { name: 'Send to 3 users' }).click();
    await page.getByRole('heading', { level: 1, name: batchId }).waitFor();
    await page.getByText('completed', { exact: true }).waitFor();
    await axe(page);

    await page.reload();
    await page.getByRole('heading', { level: 1, name: batchId }).waitFor();
  });

  test('faults of a filter stand at their place, and what was typed survives a reload', async ({ open }) => {
    const page = await open('/console/campaigns/new', { as: 'shop' });
    await page.getByLabel('Batch id').fill('kept');
    await page.locator('.cm-content').click();
    await page.keyboard.insertText('plan = pro');
    await page.getByText(/^line 1, column 8/).waitFor();
    await page.locator('.cm-lintRange-error').waitFor();

    await page.reload();
    await page.getByText('plan = pro').waitFor();
    expect(await page.getByLabel('Batch id').inputValue()).toBe('kept');
  });

  test('a producer chooses a template, tries their campaign out, and sees what became of it', async ({
    open,
  }) => {
    const page = await open('/console/campaigns/new', { as: 'shop' });
    await write(page, `browser-${randomUUID()}`);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('button', { name: 'Send to 3 users' }).click();
    await page.getByRole('region', { name: 'Results' }).getByText('Sent').first().waitFor();
  });

  test('what may come next is offered while a filter is typed', async ({ open }) => {
    const page = await open('/console/campaigns/new', { as: 'shop' });
    await page.locator('.cm-content').click();
    await page.keyboard.type('lastSeen', { delay: 20 });
    await page.locator('.cm-tooltip-autocomplete').getByText('lastSeenDays').waitFor();
  });

  test('a running campaign is paused, and cancelled once that is confirmed', async ({ open }) => {
    const page = await open('/console/campaigns/new', { as: 'root' });
    await write(page, `browser-${randomUUID()}`, 'userId exists');
    await page.getByLabel('Users a second').fill('1');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('button', { name: /^Send to/ }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();

    await page.getByRole('button', { name: 'Cancel campaign' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click();
    await page.getByText('cancelled', { exact: true }).waitFor();
  });
});

async function write(page: Page, batchId: string, wanted = filter): Promise<void> {
  await page.getByLabel('Batch id').fill(batchId);
  await page.locator('.cm-content').click();
  await page.keyboard.insertText(wanted);
  await page.getByRole('combobox', { name: 'Template' }).click();
  await page.keyboard.insertText('marketing-campaign.push');
  await page.getByRole('option', { name: 'marketing-campaign.push.en' }).click();
  await page.getByLabel('headline').fill('Hello');
  await page.getByLabel('offer').fill('A mug for nothing');
  await page.getByLabel('campaign_id').fill('browser');
}
