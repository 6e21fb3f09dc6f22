import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Installs the packages of a folder (from the project's root on) where they are missing, or older than its lock file: npm notes
 * what it installed in a lock file of its own. Plain Node, no packages. Ends the process where that fails.
 */
export function installPackages(folder) {
  const cwd = fileURLToPath(new URL(`../${folder}`, import.meta.url));
  const installed = path.join(cwd, 'node_modules', '.package-lock.json');
  const wanted = path.join(cwd, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
  process.stderr.write(`installing the packages of ${folder === '.' ? 'tidings' : folder}\n`);
  // Of all folders but the root all packages are for development, which `NODE_ENV=production` would leave out.
  const all = folder === '.' ? [] : ['--include=dev'];
  const npm = spawnSync('npm', ['ci', ...all, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: ['ignore', 2, 2],
  });
  if (npm.status === 0) return;
  process.stderr.write(`npm ci in ${folder} failed: see above\n`);
  process.exit(npm.signal ? 130 : 1);
}
