// Builds when what lies in dist/ was not made from the sources that are here. Plain Node, no packages.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fingerprint, isMadeFrom, root } from './fingerprint.mjs';
import { linkCommand } from './link-command.mjs';
import { isWebFresh } from './web-sources.mjs';

export { root } from './fingerprint.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

const mark = path.join(root, 'dist', '.sources');
const lock = path.join(root, 'node_modules', '.tidings-build');
const sources = [
  'src',
  'scripts',
  'prisma/schema.prisma',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Safe to call from several processes at once: one builds, the others wait for it. */
export async function freshBuild() {
  while (!isFresh()) {
    if (!(await takeLock())) continue;
    try {
      if (!isFresh()) build();
    } finally {
      rmSync(lock, { force: true });
    }
  }
  linkCommand();
}

const isProductFresh = () => isMadeFrom(mark, sources);
const isFresh = () => isProductFresh() && isWebFresh();

/** Where the pages alone are stale they are built alone: `build` ends with them. */
function build() {
  const script = isProductFresh() ? 'build:web' : 'build';
  const before = fingerprint(sources);
  say('building');
  const { status, signal } = spawnSync('npm', ['run', '--silent', script], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    say('the build failed');
    rmSync(lock, { force: true });
    process.exit(signal ? 130 : 1);
  }
  writeFileSync(mark, before);
}

/** Whether this process holds the lock now; if another does, waits a little. */
async function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(existsSync(lock) && readFileSync(lock, 'utf8'));
    if (holder && !isAlive(holder)) rmSync(lock, { force: true });
    await wait(200);
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await freshBuild();
