// Takes the pictures of the README from a running `npm start` with demo data: node scripts/pictures.mjs [URL]
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const url = process.argv[2] ?? 'http://127.0.0.1:4000';
const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const pictures = [
  { name: 'reader', path: '/app', as: 'alice', scheme: 'light', waitFor: 'article' },
  {
    name: 'overview',
    path: '/console/overview',
    as: 'root',
    scheme: 'light',
    waitFor: 'main svg[role=img]',
  },
  {
    name: 'notifications',
    path: '/console/notifications',
    as: 'root',
    scheme: 'dark',
    waitFor: '[role=row]',
  },
  { name: 'campaigns', path: '/console/campaigns', as: 'root', scheme: 'light', waitFor: '[role=row]' },
];

const { demoTokens } = await (await fetch(`${url}/web-config.json`, { headers: { origin: url } })).json();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
await mkdir(folder, { recursive: true });
for (const { name, path, as, scheme, waitFor } of pictures) {
  const viewport = { width: 1280, height: 800 };
  const context = await browser.newContext({ viewport, colorScheme: scheme, locale: 'en-GB' });
  const { token } = demoTokens.find(({ userId }) => userId === as);
  await context.addInitScript((text) => sessionStorage.setItem('tidings.token', text), token);
  const page = await context.newPage();
  await page.goto(url + path);
  await page.locator(waitFor).first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  // Live figures come once a second.
  await page.waitForTimeout(3_000);
  const picture = await page.screenshot({ animations: 'disabled' });
  await sharp(picture).png({ palette: true, quality: 80, effort: 10 }).toFile(`${folder}${name}.png`);
  await context.close();
}
await browser.close();
