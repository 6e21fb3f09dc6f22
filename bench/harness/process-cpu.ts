import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Processes by the name that a figure gives them; one of unknown id is left out. */
export type Processes = Readonly<Record<string, number | undefined>>;

/** Seconds of CPU by process; none where the system has no /proc. */
export type CpuSeconds = Readonly<Record<string, number>>;

/** Linux counts in hundredths of a second, whatever its own clock does. */
const ticksPerSecond = 100;

/**
 * Starts to watch some processes, each with its children; the function it gives tells how many seconds of CPU each
 * has used since.
 */
export async function watchCpu(processes: Processes): Promise<() => Promise<CpuSeconds>> {
  const before = await read(processes);
  return async () => {
    const now = await read(processes);
    return Object.fromEntries(
      Object.entries(before).map(([name, seconds]) => [name, (now[name] ?? Number.NaN) - seconds]),
    );
  };
}

/** What a process has used since it began, with its children; NaN where the system has no /proc. */
export const cpuSecondsOf = async (pid: number | undefined): Promise<number> =>
  (await read({ one: pid })).one ?? Number.NaN;

/** What processes use within `seconds`, after `warmUpSeconds` from now. */
export async function cpuDuring(
  processes: Processes,
  { warmUpSeconds, seconds }: { readonly warmUpSeconds: number; readonly seconds: number },
): Promise<CpuSeconds> {
  await pause(warmUpSeconds * 1000);
  const used = await watchCpu(processes);
  await pause(seconds * 1000);
  return used();
}

/** As figures: milliseconds of each process's CPU for one of `count` things. */
export const cpuFigures = (what: string, cpu: CpuSeconds, count: number): Record<string, number> =>
  Object.fromEntries(
    Object.entries(cpu).map(([name, seconds]) => [`${name} CPU ms a ${what}`, (seconds * 1000) / count]),
  );

async function read(processes: Processes): Promise<CpuSeconds> {
  if (process.platform !== 'linux') return {};
  const all = await statsOfAll();
  return Object.fromEntries(
    Object.entries(processes).flatMap(([name, pid]) =>
      pid === undefined ? [] : [[name, ticksOf(pid, all) / ticksPerSecond]],
    ),
  );
}

interface Stat {
  readonly parent: number;
  /** Its own, and that of the children which it has seen end. */
  readonly ticks: number;
}

/** A server such as Postgres works in its children; those that have ended are in their parent's count. */
function ticksOf(pid: number, all: ReadonlyMap<number, Stat>): number {
  let ticks = all.get(pid)?.ticks ?? Number.NaN;
  for (const [child, { parent }] of all) if (parent === pid) ticks += ticksOf(child, all);
  return ticks;
}

async function statsOfAll(): Promise<ReadonlyMap<number, Stat>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
      // The name, in parentheses, may hold anything; what follows is numbers (proc(5)), the state first.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      const [parent, user, system, childrensUser, childrensSystem] = [1, 11, 12, 13, 14].map((n) =>
        Number(fields[n]),
      ) as [number, number, number, number, number];
      return [Number(pid), { parent, ticks: user + system + childrensUser + childrensSystem }] as const;
    }),
  );
  return new Map(stats.filter(([, { parent }]) => !Number.isNaN(parent)));
}
