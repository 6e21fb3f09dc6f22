import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Writes one line to the terminal. */
export type Say = (line: string) => void;

/** Whether a process of this id exists, whichever user owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The command line of a process, or '' when there is none. By it a process differs from a later one of the same id. */
export async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return text.replaceAll('\0', ' ').trim();
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.trim();
}

/** Sends `signal`, waits until the process is gone, and kills it when `graceMs` have passed. */
export async function endProcess(pid: number, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  signalTo(pid, signal);
  if (await gone(pid, graceMs)) return;
  signalTo(pid, 'SIGKILL');
  await gone(pid, 5_000);
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone, which is what was wanted.
  }
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    if (!isAlive(pid)) return true;
    await wait(20);
  }
  return !isAlive(pid);
}

export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

/** Sends a child `signal`, waits until it has ended, and sends `last` when `graceMs` have passed. */
export async function endChild(
  child: ChildProcess,
  signal: NodeJS.Signals,
  last: NodeJS.Signals,
  graceMs: number,
): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill(last), graceMs);
  await exited;
  clearTimeout(timer);
}

/** The last three lines of a log. */
export const lastLines = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8')).trim().split('\n').slice(-3).join(' | ');

/**
 * Ties a server to this process: when this process ends, even by SIGKILL, the server is sent `signal`.
 * The server stands in a process group of its own, so Ctrl-C reaches it only through the process that stops it in order.
 */
export function endWithParent(server: ChildProcess, signal: 'INT' | 'TERM'): void {
  if (server.pid === undefined) return;
  // `read` returns when the pipe's other end closes, which the kernel does for us whatever happens.
  const holder = spawn(
    'sh',
    ['-c', 'read _; kill -"$1" "$2" 2>/dev/null', 'end-with-parent', signal, String(server.pid)],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    },
  );
  holder.unref();
  // A server that ended by itself must not leave a signal waiting for a later process of the same id.
  server.once('exit', () => holder.kill('SIGKILL'));
}
