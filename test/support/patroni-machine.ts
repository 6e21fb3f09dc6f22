import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endChild, hasEnded, isAlive } from '../../src/local/processes.js';
import { type MemberSettings, patroniSettings } from './patroni-settings.js';
import { childrenOf, signal } from './process-tree.js';

/** What ends of a machine: all of it, Postgres alone (as where memory runs out), or Patroni alone. */
export type Part = 'all' | 'postgres' | 'patroni';

/** A Patroni and the Postgres that it starts. */
export interface PatroniMachine {
  readonly settings: MemberSettings;
  start(): Promise<void>;
  kill(part: Part): Promise<void>;
  freeze(): Promise<void>;
  thaw(): void;
  close(): Promise<void>;
}

const STOP_MS = 20_000;

/** @param launch starts Patroni with this file of settings */
export function patroniMachine(
  settings: MemberSettings,
  launch: (file: string) => Promise<ChildProcess>,
): PatroniMachine {
  const pidFile = path.join(settings.folder, 'data', 'postmaster.pid');
  const postgresWithParent = endPostgresWithParent(pidFile);
  let patroni: ChildProcess | undefined;
  let frozen: readonly number[] = [];
  let thawWithParent: ChildProcess | undefined;

  async function postgres(): Promise<readonly number[]> {
    const postmaster = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
    return postmaster && isAlive(postmaster) ? [postmaster, ...(await childrenOf(postmaster))] : [];
  }
  function thaw(): void {
    for (const pid of frozen.toReversed()) signal(pid, 'SIGCONT');
    frozen = [];
    thawWithParent?.kill('SIGKILL');
  }
  async function killPostgres(): Promise<void> {
    const pids = await postgres();
    for (const pid of pids) signal(pid, 'SIGKILL');
    while (pids.some(isAlive)) await pause(10);
  }

  return {
    settings,
    async start() {
      if (patroni && !hasEnded(patroni)) return;
      const file = path.join(settings.folder, 'patroni.yml');
      await writeFile(file, patroniSettings(settings));
      patroni = await launch(file);
    },
    async kill(part) {
      if (part !== 'postgres' && patroni) await endChild(patroni, 'SIGKILL', 'SIGKILL', STOP_MS);
      if (part !== 'patroni') await killPostgres();
    },
    async freeze() {
      const pid = patroni!.pid!;
      frozen = [pid, ...(await childrenOf(pid)), ...(await postgres())];
      // What is frozen is ended by no signal but SIGKILL.
      thawWithParent = whenParentEnds('kill -CONT "$@"', frozen.map(String));
      for (const one of frozen) signal(one, 'SIGSTOP');
    },
    thaw,
    async close() {
      thaw();
      // Patroni stops its Postgres in order; one that nobody watches is ended here.
      if (patroni) await endChild(patroni, 'SIGTERM', 'SIGKILL', STOP_MS);
      await killPostgres();
      postgresWithParent.kill('SIGKILL');
    },
  };
}

/** A Postgres whose Patroni was killed is nobody's child: it is ended when this process ends. */
const endPostgresWithParent = (pidFile: string): ChildProcess =>
  whenParentEnds('sleep 10; pid=$(head -n 1 "$1") && kill -QUIT "$pid"', [pidFile]);

/** Runs a script of the shell when this process ends, even by SIGKILL. */
function whenParentEnds(script: string, args: readonly string[]): ChildProcess {
  // `read` returns when the pipe's other end closes, which the kernel does whatever happens.
  const holder = spawn('sh', ['-c', `read _; ${script}`, 'when-parent-ends', ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  holder.unref();
  return holder;
}
