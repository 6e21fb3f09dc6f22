// npm test: builds when stale (some tests run the real processes), then runs vitest with the arguments given.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { freshBuild, root } from './fresh-build.mjs';

await freshBuild();
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
// The terminal's Ctrl-C reaches vitest too: it ends what it started, and this waits for it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 1));
