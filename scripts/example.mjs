// npm run example -- apollo|urql|relay: one of the clients of examples/ in a terminal. Installs their packages and types their
// operations where these are missing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

installPackages('examples');
if (!existsSync(`${cwd}/examples/apollo/generated`)) run('npm', 'run', '--silent', 'codegen');
run(
  process.execPath,
  '--import',
  './test/support/typescript-hooks.mjs',
  'examples/run.ts',
  ...process.argv.slice(2),
);
