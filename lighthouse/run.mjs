// Lighthouse over the main pages, as a phone and as a desktop has them: npm --prefix lighthouse start [-- URL]
// Without a URL it starts the built product with demo data, on ports and data of its own. Fails where a page has less than 100
// for accessibility or best practices; performance depends on what else the machine does, and is only printed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import lighthouse, { desktopConfig } from 'lighthouse';
import puppeteer from 'puppeteer-core';

const pages = [
  { name: 'front page', path: '/' },
  { name: 'console: overview', path: '/console/overview', as: 'root' },
  { name: 'reader', path: '/app', as: 'alice' },
];
const settings = [
  { name: 'desktop', config: desktopConfig },
  { name: 'mobile', config: undefined },
];
const MAX_RUNS = 3;
const MUST_BE_PERFECT = ['accessibility', 'best-practices'];
const METRICS = [
  ['first-contentful-paint', 'first paint'],
  ['largest-contentful-paint', 'largest paint'],
  ['total-blocking-time', 'blocked'],
  ['cumulative-layout-shift', 'shift'],
];
const categories = ['performance', ...MUST_BE_PERFECT];

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const say = (line) => process.stdout.write(`${line}\n`);

const given = process.argv[2];
const product = given ? { url: given, stop: async () => undefined } : await startProduct();
const faults = [];
try {
  say(`${'page'.padEnd(20)}${'as on'.padEnd(9)}${categories.map((name) => name.padStart(15)).join('')}`);
  for (const page of pages) for (const setting of settings) await measure(page, setting);
} finally {
  await product.stop();
}
for (const fault of faults) say(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

async function measure(page, setting) {
  const lhr = await runUntilValid(page, setting);
  const scores = categories.map((category) => Math.round((lhr.categories[category].score ?? 0) * 100));
  const columns = scores.map((score) => `${score}`.padStart(15)).join('');
  const times = METRICS.map(([id, name]) => `${name} ${lhr.audits[id].displayValue ?? '–'}`).join(', ');
  say(`${page.name.padEnd(20)}${setting.name.padEnd(9)}${columns}   ${times}`);
  if (lhr.runtimeError) faults.push(`${page.name}, ${setting.name}: ${lhr.runtimeError.message}`);
  for (const category of MUST_BE_PERFECT) {
    for (const { id } of lhr.categories[category].auditRefs) {
      const { score, title, details, scoreDisplayMode } = lhr.audits[id];
      if (score === null || score === 1 || scoreDisplayMode === 'informative') continue;
      const where = (details?.items ?? []).map((item) => `\n  ${item.node?.snippet ?? JSON.stringify(item)}`);
      faults.push(`${page.name}, ${setting.name}: ${id}: ${title}${where.join('')}`);
    }
  }
}

/** Lighthouse sometimes ends with an error of its own (such as a missing trace), and asks to be run again. */
async function runUntilValid(page, setting) {
  for (let runs = 1; ; runs += 1) {
    const { lhr } = await look(page, setting.config);
    if (!lhr.runtimeError || runs === MAX_RUNS) return lhr;
    say(`${page.name}, ${setting.name}: ${lhr.runtimeError.code}, run again`);
  }
}

/** A browser of its own for each look: nothing of it is cached. */
async function look({ path: pathname, as }, config) {
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    // Chromium has no sandbox of its own for root; and /dev/shm is small in containers.
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    const page = await browser.newPage();
    if (as) {
      const token = await demoToken(as);
      await page.evaluateOnNewDocument((text) => sessionStorage.setItem('tidings.token', text), token);
    }
    const flags = { onlyCategories: categories, logLevel: 'silent' };
    return await lighthouse(product.url + pathname, flags, config, page);
  } finally {
    await browser.close();
  }
}

async function demoToken(userId) {
  const answer = await fetch(`${product.url}/web-config.json`, { headers: { origin: product.url } });
  const { demoTokens } = await answer.json();
  return demoTokens.find((token) => token.userId === userId).token;
}

async function startProduct() {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-lighthouse-'));
  // Postgres, which does not run as root, keeps its data in it.
  await chmod(folder, 0o711);
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [main, 'start'], {
    env: { ...process.env, TIDINGS_DATA: folder, PORT: `${port}`, SANDBOX_PORT: `${sandboxPort}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += String(text);
      if (said.includes('tidings is ready')) resolve();
    });
  child.once('exit', () => reject(new Error(`the product ended:\n${said}`)));
  await ready;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
