// npm test: builds when stale (some tests run the real processes), types the tests' operations, then runs vitest with the arguments given.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { freshBuild, root } from './fresh-build.mjs';
import { installPackages } from './install-packages.mjs';

await freshBuild();
// Tests use them.
for (const folder of ['examples', 'deploy']) installPackages(folder);
const types = spawnSync('npm', ['run', '--silent', 'codegen'], { cwd: root, stdio: ['ignore', 2, 2] });
if (types.status !== 0) process.exit(1);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  // Each file has a process of its own, and compiles its dependencies once for all of them.
  env: { NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'compile'), ...process.env },
  stdio: 'inherit',
});
// The terminal's Ctrl-C reaches vitest too: it ends what it started, and this waits for it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 1));
