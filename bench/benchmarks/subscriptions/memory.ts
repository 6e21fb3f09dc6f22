import { readFile } from 'node:fs/promises';

/** What a process holds in memory; Linux only. */
export async function bytesOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/** How many files, sockets among them, a process may have open at most: Node raises its own limit to that. Linux only. */
export async function mostOpenFiles(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8');
  const [, hard = ''] = /^Max open files\s+\S+\s+(\S+)/m.exec(limits) ?? [];
  return hard === 'unlimited' ? Infinity : Number(hard);
}
