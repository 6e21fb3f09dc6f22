import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../platform/process/start-error.js';
import type { Say } from './processes.js';

const programs = ['redis-server', 'valkey-server'];

/**
 * Finds a Redis on the PATH. Where there is none, root on Debian or Ubuntu gets the distribution's own.
 *
 * @returns the program's absolute path
 * @throws StartError naming ways out
 */
export async function findRedis(say: Say): Promise<string> {
  const found = onPath();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get')) {
    say('no redis-server on the PATH: installing it by apt-get');
    installByApt();
    const installed = onPath();
    if (installed) return installed;
  }
  throw new StartError(
    'no redis-server and no valkey-server on the PATH. Either install one (apt-get install redis-server, ' +
      'dnf install valkey, brew install redis), or take one without being root ' +
      '(conda install -c conda-forge redis-server), or set REDIS_URL to a server of yours',
  );
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return programs
    .flatMap((program) => folders.map((folder) => path.resolve(folder, program)))
    .find((file) => existsSync(file));
}

function installByApt(): void {
  // At run level 1 the package does not start a server of its own on the standard port.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const apt = (...args: string[]) =>
    spawnSync('/usr/bin/apt-get', ['-q', '-y', ...args], { env, stdio: ['ignore', 2, 2] }).status === 0;
  const install = () => apt('install', '--no-install-recommends', 'redis-server');
  if (!install() && apt('update')) install();
}
