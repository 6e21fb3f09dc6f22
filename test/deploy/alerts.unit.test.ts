import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const tests = fileURLToPath(new URL('alerts/', import.meta.url));
const rules = fileURLToPath(new URL('../../docs/alerts/', import.meta.url));

/** Prometheus' own tool; `error` where it is not installed. */
const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: tests, encoding: 'utf8' });

// CI installs it: a machine without it leaves this out.
const isMissing = promtool('--version').error !== undefined && !process.env.CI;

it.skipIf(isMissing)('Prometheus loads every file of alerts', () => {
  const files = readdirSync(rules).map((name) => `${rules}${name}`);
  expect(files.length).toBeGreaterThanOrEqual(4);
  const { status, stdout, stderr } = promtool('check', 'rules', '--lint-fatal', ...files);
  expect(status, `${stdout}${stderr}`).toBe(0);
});

it.skipIf(isMissing)('the alerts for what is worst are raised when they should be, and not before', () => {
  const { status, stdout, stderr } = promtool('test', 'rules', 'alerts.test.yml');
  expect(status, `${stdout}${stderr}`).toBe(0);
});
