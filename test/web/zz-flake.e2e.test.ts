import { expect } from 'vitest';
import { signToken } from '../../src/platform/auth/auth.js';
import { axe, test } from './support/browser.js';
import { tokenOf } from './support/call.js';

const refused = [/status of 401/, /WebSocket/];
const ofAnotherServer = () =>
  signToken('a secret that another server has, and not this one', { userId: 'root', roles: ['user', 'admin'], plan: 'pro', expiresInSeconds: 3_600 });

test.for(Array.from({ length: 30 }, (_, n) => n))('flake %i', async (n, { open }) => {
  const page = await open('/robots.txt', { token: await ofAnotherServer(), expected: refused });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 + (n % 6) * 2 });
  await page.goto('/console/overview');
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByText('The server does not accept this token').waitFor();
  if (n % 2) await axe(page);
  await page.waitForTimeout((n % 5) * 300);
  await dialog.getByLabel('Token or API key').fill(await tokenOf('root'));
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByText('This could not be loaded').count()).toBe(0);
  await page.getByText(/^Live, from \d+ process/).waitFor();
});
