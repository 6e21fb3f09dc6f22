import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

const hooks = new URL('../support/typescript-hooks.mjs', import.meta.url).href;
const source = (file: string): string => new URL(`../../src/platform/${file}`, import.meta.url).href;

/**
 * Runs a program that survives faults, drains as processes do, and says `still here` after a fault that it goes on after.
 *
 * @param options step: of the drain; isStarting: nothing handles signals yet
 */
async function endOf(fault: string, { step = '() => undefined', isStarting = false } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-faults-'));
  const file = path.join(folder, 'program.mjs');
  await writeFile(
    file,
    `import { EventEmitter } from 'node:events';
     import { Registry } from '${import.meta.resolve('prom-client')}';
     import { createLogger } from '${source('logging/logger.ts')}';
     import { surviveFaults } from '${source('process/process-faults.ts')}';
     import { drainOnSignal } from '${source('process/shutdown.ts')}';
     const registry = new Registry();
     const logger = createLogger('test', 'info');
     surviveFaults(logger, registry);
     ${isStarting ? '' : `drainOnSignal(logger, 5000, [${step}]);`}
     const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
     setTimeout(() => { ${fault} }, 0);
     for (;;) {
       const metrics = await registry.metrics();
       if (/process_faults_total\\{kind="(rejection|connection)"\\} [1-9]/.test(metrics)) {
         console.log('still here', metrics);
         process.exit(0);
       }
       await new Promise((resolve) => setTimeout(resolve, 5));
     }`,
  );
  const child = spawn(process.execPath, ['--experimental-transform-types', '--import', hooks, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const [code] = await once(child, 'close');
  await rm(folder, { recursive: true });
  return { code: code as number | null, output };
}

it('a rejection that nobody handles is logged and counted, and ends nothing', async () => {
  const { code, output } = await endOf(`Promise.reject(new TypeError('nobody waits'))`);
  expect(output).toContain('a rejected promise was not handled');
  expect(output).toMatch(/process_faults_total\{kind="rejection"\} 1/);
  expect([code, output]).toEqual([0, expect.stringContaining('still here')]);
});

it('the error of a connection that nobody listens to is logged and counted, and ends nothing', async () => {
  const { code, output } = await endOf(`new EventEmitter().emit('error', broken)`);
  expect(output).toMatch(/process_faults_total\{kind="connection"\} 1/);
  expect([code, output]).toEqual([0, expect.stringContaining('still here')]);
});

it('any other exception drains the process, which ends with 1', async () => {
  const { code, output } = await endOf(`throw new TypeError('half done')`);
  expect(output).toContain('an exception was not handled');
  expect(output).toContain('"drained"');
  expect([code, output]).toEqual([1, expect.not.stringContaining('still here')]);
});

it('it ends a process that is still starting with 1 at once', async () => {
  const { code, output } = await endOf(`throw new TypeError('half done')`, { isStarting: true });
  expect(output).toContain('an exception was not handled');
  expect([code, output]).toEqual([1, expect.not.stringContaining('still here')]);
});

it.each([true, false])(
  'what a slow reader has not taken yet is not lost with it (while it starts: %s)',
  async (isStarting) => {
    const { code, output } = await endOf(
      `for (let n = 0; n < 5000; n += 1) logger.info('${'x'.repeat(200)}');
     throw new TypeError('half done')`,
      { isStarting },
    );
    expect(output.match(/xxx"/g)).toHaveLength(5000);
    expect(output.trim().split('\n').at(-1)).toContain(
      isStarting ? 'an exception was not handled' : '"drained"',
    );
    expect(code).toBe(1);
  },
);

it.each([
  ['an exception', `throw new TypeError('half done')`, 3],
  ['a signal', `process.kill(process.pid, 'SIGTERM')`, 2],
])('exceptions in a process that drains after %s let what is under way end', async (_, begin, exceptions) => {
  const { code, output } = await endOf(begin, {
    step: `async () => {
       for (const faults of [${exceptions - 1}, ${exceptions}]) {
         setImmediate(() => { throw new TypeError('another one'); });
         const counted = 'process_faults_total{kind="exception"} ' + faults;
         while (!(await registry.metrics()).includes(counted)) await new Promise(setImmediate);
       }
       console.log('all that was under way ended');
     }`,
  });
  expect(output.match(/an exception was not handled/g)).toHaveLength(exceptions);
  expect(output).toContain('all that was under way ended');
  expect([code, output]).toEqual([1, expect.stringContaining('"drained"')]);
});
