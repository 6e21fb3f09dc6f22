import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { test as base, expect, inject } from 'vitest';
import { tokenOf } from './call.js';

export { axe } from './axe.js';

export interface Look {
  /** In CSS pixels. */
  readonly width: 360 | 1400;
  readonly scheme: 'light' | 'dark';
}

/** How every page must look: `test.for(looks)('the overview, %o', async (look, { open }) => …)`. */
export const looks: readonly Look[] = [
  { width: 1400, scheme: 'light' },
  { width: 1400, scheme: 'dark' },
  { width: 360, scheme: 'light' },
  { width: 360, scheme: 'dark' },
];

export interface OpenOptions extends Partial<Look> {
  /** Who is signed in: one of the demo's people, or a user who is nobody else; absent: nobody. */
  readonly as?: string;
  /** Signs in with this, in the place of a good token. */
  readonly token?: string;
  /** What the browser asks for, like `de-DE`. */
  readonly locale?: string;
  /** Faults that the test is about: those that a pattern matches do not fail it. */
  readonly expected?: readonly RegExp[];
  /** Another server than the one that all tests share. */
  readonly url?: string;
}

/**
 * Opens a path in a window of its own, which has nothing of other windows. The test fails where a page of it writes an error
 * to the console, throws, breaks its content policy, asks another server for anything, or, GraphiQL apart, sends a document of
 * GraphQL by its text: where only persisted documents are taken, it would be refused.
 */
export type Open = (path: string, options?: OpenOptions) => Promise<Page>;

// Only what hangs takes so long, also on a machine that others keep busy.
const TIMEOUT_MS = 60_000;

/** Vitest's `test`, with windows of a real browser on what `npm start` brings up. Skipped where there is no browser. */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads which fixtures it needs from a pattern
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const executablePath = inject('browser');
    if (executablePath === null) return null;
    const browser = await chromium.launch({
      executablePath,
      // Chromium has no sandbox of its own for root; and /dev/shm is small in containers.
      args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    });
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('open', async ({ browser, skip }, { onCleanup }): Promise<Open> => {
    if (!browser) return skip('there is no browser');
    const contexts: BrowserContext[] = [];
    const faults: string[] = [];
    onCleanup(async () => {
      await Promise.all(contexts.map((context) => context.close()));
      expect(faults, 'what went wrong in the browser').toEqual([]);
    });
    return async (path, options = {}) => {
      const url = options.url ?? inject('everything').url;
      const context = await openContext(browser, url, options);
      contexts.push(context);
      const { expected = [] } = options;
      watch(context, url, (fault) => {
        if (!expected.some((pattern) => pattern.test(fault))) faults.push(fault);
      });
      const page = await context.newPage();
      const token = options.token ?? (options.as && (await tokenOf(options.as)));
      if (token) await signIn(page, token);
      await page.goto(path);
      return page;
    };
  });

async function openContext(browser: Browser, url: string, options: OpenOptions): Promise<BrowserContext> {
  const { width = 1400, scheme = 'light', locale = 'en-US' } = options;
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: 900 },
    colorScheme: scheme,
    locale,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context;
}

/** The token is put where the pages keep it, by a page that runs no script of theirs. */
async function signIn(page: Page, token: string): Promise<void> {
  await page.goto('/robots.txt');
  await page.evaluate(`sessionStorage.setItem('tidings.token', ${JSON.stringify(token)})`);
}

function watch(context: BrowserContext, url: string, onFault: (fault: string) => void): void {
  const own = [url, inject('everything').sandboxUrl].map((one) => new URL(one).host);
  const onRequest = (asked: string): void => {
    const { protocol, host } = new URL(asked);
    if (/^(https?|wss?):$/.test(protocol) && !own.includes(host)) onFault(`asked another server: ${asked}`);
  };
  const onAsked = (asked: string | null): void => {
    // A variable may be called `query` too; only a document has braces.
    const text = /"query":"([^"]*\{[^"]*)/.exec(asked ?? '')?.[1];
    if (text) onFault(`sent a document by its text: ${text}`);
  };
  context.on('request', (request) => {
    onRequest(request.url());
    const isGraphiql = !request.serviceWorker() && isPathOf('/graphiql', request.frame().url());
    if (isPathOf('/graphql', request.url()) && !isGraphiql) onAsked(request.postData());
  });
  context.on('page', (page) =>
    page.on('websocket', (socket) => {
      onRequest(socket.url());
      if (isPathOf('/graphiql', page.url())) return;
      socket.on('framesent', ({ payload }) => onAsked(String(payload)));
    }),
  );
  context.on('weberror', (error) => onFault(`threw: ${error.error().stack ?? error.error().message}`));
  // Chromium writes broken policies and failed requests there, too.
  context.on('console', (message) => {
    if (message.type() === 'error') onFault(`console: ${message.text()} (${message.location().url})`);
  });
}

const isPathOf = (path: string, url: string): boolean => URL.parse(url)?.pathname === path;
