// After npm has installed: node_modules/.bin/node, which is first on the PATH of npm's scripts, is a Node on which tidings runs.
// The machine's own where `engines` allows it, else the one of tools/node, which is installed only then. Plain Node, no packages.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAllowed } from './node-range.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const tools = path.join(root, 'tools', 'node');
const isWindows = process.platform === 'win32';
const name = isWindows ? 'node.exe' : 'node';

const own = process.execPath;
const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const found = isAllowed(process.versions.node, engines.node) ? own : install();
const bin = path.join(root, 'node_modules', '.bin');
const target = path.join(bin, name);
if (path.resolve(found) !== target) {
  mkdirSync(bin, { recursive: true });
  rmSync(target, { force: true });
  if (isWindows) copyFileSync(found, target);
  else symlinkSync(found, target);
}

function install() {
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: tools,
    // npm's settings for the project that is being installed are not meant for this one.
    env: Object.fromEntries(
      Object.entries(process.env).filter(
        ([key]) => !/^npm_(config_(local_)?prefix|config_global|package_)/.test(key),
      ),
    ),
    stdio: ['ignore', 2, 2],
    shell: isWindows,
  });
  if (npm.status !== 0) process.exit(npm.status ?? 1);
  return path.join(tools, 'node_modules', 'node', 'bin', name);
}
