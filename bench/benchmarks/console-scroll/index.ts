import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Benchmark, Outcome } from '../../harness/benchmark.ts';
import { startPostgres } from '../../harness/postgres-server.ts';
import { migrateProduct } from '../../harness/product-app.ts';
import { type ProductProcess, startProduct } from '../../harness/product-process.ts';
import { startRedis } from '../../harness/redis-server.ts';
import { type Contestant, median, type Samples } from '../../harness/rounds.ts';
import { adminToken, fill } from './notifications.ts';
import { type Traced, traced } from './trace.ts';

const NOTIFICATIONS = 10_000;
const QUICK_NOTIFICATIONS = 1_000;
const FRAME_MS = 50;
/** One turn of a wheel, a frame: 10,000 rows pass in a minute. */
const WHEEL_PX = 120;
const RULES = fileURLToPath(new URL('../../../rules/start.yaml', import.meta.url));

/** How long the console's list of notifications keeps the browser from drawing. */
export const consoleScroll: Benchmark = {
  name: 'console.scroll',
  summary: 'the longest task of a page whose list of 10,000 notifications is scrolled, by Chromium’s trace',
  targets: { 'loading-50-ms': 1, 'loaded-50-ms': 1 },
  async run(context) {
    const count = context.size ?? (context.quick ? QUICK_NOTIFICATIONS : NOTIFICATIONS);
    const [postgres, redis] = await Promise.all([startPostgres(40), startRedis({ persistent: false })]);
    let api: ProductProcess | undefined;
    let worker: ProductProcess | undefined;
    let browser: Browser | undefined;
    try {
      await postgres.run('CREATE DATABASE console');
      const at = { databaseUrl: postgres.url('console'), redisUrl: redis.url };
      await migrateProduct(at.databaseUrl);
      api = await startProduct('api', { ...at, env: { RATE_LIMIT_RULES: RULES } });
      // It makes the index in which the list is found.
      worker = await startProduct('worker', at);
      const token = await adminToken();
      await fill(api.url, token, count);
      context.note(`${count} notifications are there`);
      browser = await chromium.launch({
        executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
        args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
      });
      const { url } = api;
      const opened = browser;
      const contestant: Contestant<Sample> = {
        name: 'tidings',
        measure: () => scroll(opened, url, token, count),
      };
      return outcomeOf(
        await context.rounds([contestant], (_, { loading, loaded }) =>
          context.note(`longest task: ${longest(loading)} ms while it loads, ${longest(loaded)} ms loaded`),
        ),
      );
    } finally {
      await browser?.close();
      await Promise.all([api?.stop(), worker?.stop()]);
      await Promise.all([postgres.stop(), redis.stop()]);
    }
  },
};

interface Sample {
  /** Down to the end, page by page as they are asked for. */
  readonly loading: Traced;
  /** Up and down again, through rows that are there. */
  readonly loaded: Traced;
}

async function scroll(browser: Browser, url: string, token: string, count: number): Promise<Sample> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1400, height: 900 } });
  context.setDefaultTimeout(120_000);
  try {
    const page = await context.newPage();
    await page.goto('/robots.txt');
    await page.evaluate(`sessionStorage.setItem('tidings.token', ${JSON.stringify(token)})`);
    await page.goto('/console/notifications');
    await page.locator('[data-index="0"]').waitFor();
    await page.mouse.move(700, 600);
    const session = await context.newCDPSession(page);
    const last = page.locator(`[data-index="${count - 1}"]`);
    const loading = await traced(session, () =>
      wheelUntil(page, WHEEL_PX, async () => (await last.count()) > 0),
    );
    const isAtTop = () => page.evaluate<boolean>('window.scrollY === 0');
    const loaded = await traced(session, async () => {
      await wheelUntil(page, -WHEEL_PX, isAtTop);
      await wheelUntil(page, WHEEL_PX, async () => (await last.count()) > 0);
    });
    return { loading, loaded };
  } finally {
    await context.close();
  }
}

/** As a hand does it: a turn a frame, and a look at the place each twenty turns. */
async function wheelUntil(page: Page, by: number, isThere: () => Promise<boolean>): Promise<void> {
  while (!(await isThere()))
    for (let turn = 0; turn < 20; turn += 1) {
      await page.mouse.wheel(0, by);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
}

const longest = ({ taskMs }: Traced): number =>
  Math.round(taskMs.reduce((most, ms) => Math.max(most, ms), 0));
const over = ({ taskMs }: Traced): number => taskMs.filter((ms) => ms > FRAME_MS).length;

function outcomeOf(samples: Samples<Sample>): Outcome {
  const taken = samples.get('tidings') ?? [];
  const of = (figure: (sample: Sample) => number): number => median(taken.map(figure));
  return {
    ratios: {
      'loading-50-ms': FRAME_MS / of(({ loading }) => longest(loading)),
      'loaded-50-ms': FRAME_MS / of(({ loaded }) => longest(loaded)),
    },
    figures: {
      'longest task while it loads, ms': of(({ loading }) => longest(loading)),
      'longest task through loaded rows, ms': of(({ loaded }) => longest(loaded)),
      'tasks over 50 ms while it loads': of(({ loading }) => over(loading)),
      'tasks over 50 ms through loaded rows': of(({ loaded }) => over(loaded)),
      'frames while it loads': of(({ loading }) => loading.frames),
      'frames through loaded rows': of(({ loaded }) => loaded.frames),
    },
  };
}
