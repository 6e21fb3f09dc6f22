import { describe, expect } from 'vitest';
import { axe, looks, test } from './support/browser.js';

describe('send', () => {
  test.for(looks)('previews a template as it is filled in, and sends it, at %o', async (look, { open }) => {
    const page = await open('/console/send?template=order-shipped.sms.en', { ...look, as: 'root' });
    await page.getByText('Not complete yet').waitFor();
    await page.getByRole('combobox', { name: 'Recipients' }).fill('alice');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: /^order_id/ }).fill('4711');
    await page.getByRole('textbox', { name: /^tracking_number/ }).fill('T-4711');
    await page.getByLabel('A text message as a phone shows it').getByText('4711').first().waitFor();
    await page.getByText(/^1 segment/).waitFor();
    await page.getByRole('tab', { name: 'Email' }).click();
    await page.getByTitle('The email as HTML').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await axe(page);
    await page.getByRole('button', { name: 'Send to 1 person' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('link', { name: 'Follow it' }).click();
    await page.getByRole('heading', { level: 1, name: /^console-/ }).waitFor();
    await page.getByRole('table', { name: 'Recipients' }).getByText('alice').first().waitFor();
  });

  test('what was typed is there again after a reload', async ({ open }) => {
    const page = await open('/console/send?template=order-shipped.push.en', { as: 'root' });
    await page.getByRole('textbox', { name: /^order_id/ }).fill('4712');
    await page.reload();
    await expect.poll(() => page.getByRole('textbox', { name: /^order_id/ }).inputValue()).toBe('4712');
  });

  test('as many recipients as one request takes are there again after a reload', async ({ open }) => {
    const page = await open('/console/send?template=order-shipped.push.en&to=alice', { as: 'root' });
    await page.getByRole('combobox', { name: 'Recipients' }).fill('bob');
    await page.keyboard.press('Enter');
    // As few as that are in the URL, for others to open.
    await page.waitForURL(/[?&]to=alice%2Cbob$/);
    const pasted = Array.from({ length: 998 }, (_, n) => `recipient-with-a-long-id-${n}`).join(', ');
    await page.getByRole('combobox', { name: 'Recipients' }).evaluate(paste, pasted);
    await page.getByRole('button', { name: 'Send to 1,000 people' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Send to 1,000 people' }).waitFor();
  });

  test('a producer chooses among templates and sees what is sent, too; one that is not there is named', async ({
    open,
  }) => {
    const page = await open('/console/send?template=no.such.template&to=alice', { as: 'shop' });
    await page.getByText('There is no active template no.such.template').waitFor();
    await page.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: /^ORDER_SHIPPED · SMS · en/i }).click();
    await page.getByText('Not complete yet').waitFor();
    await page.getByRole('textbox', { name: /^order_id/ }).fill('4713');
    await page.getByRole('textbox', { name: /^tracking_number/ }).fill('T-4713');
    await page.getByLabel('A text message as a phone shows it').getByText('4713').first().waitFor();
    // Trials of any version are an admin's.
    expect(await page.getByRole('button', { name: 'Send test' }).count()).toBe(0);
  });
});

/** As the browser does it; runs within the page. */
function paste(field: unknown, text: string): void {
  const { DataTransfer, ClipboardEvent } = globalThis as unknown as BrowserNames;
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  (field as EventTarget).dispatchEvent(event);
}

interface BrowserNames {
  readonly DataTransfer: new () => { setData(type: string, text: string): void };
  readonly ClipboardEvent: new (type: string, init: object) => Event;
}
