import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../platform/process/start-error.js';
import { commandLine, endProcess } from './processes.js';

const stopWithinMs = 25_000;

/**
 * Claims a data folder for this process, and ends the children of an earlier run on it that was killed.
 *
 * @returns what gives the folder back
 * @throws StartError when a run is alive on it
 */
export async function claim(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true });
  const file = pidFileOf(dataDir, 'start');
  const pid = await recorded(file, 'start');
  if (pid !== undefined) {
    throw new StartError(
      `tidings already runs on ${dataDir} (process ${pid}): stop it, or set TIDINGS_DATA to another folder`,
    );
  }
  await rm(file, { force: true });
  await writeFile(file, `${process.pid}\n`, { flag: 'wx' }).catch(() => {
    throw new StartError(`tidings is being started on ${dataDir} by somebody else at this moment`);
  });
  await Promise.all(['api', 'worker'].map((name) => endRecorded(pidFileOf(dataDir, name), name)));
  return () => rm(file, { force: true });
}

/** Where the process id of a part is kept, so that the next run finds what this one left. */
export const pidFileOf = (dataDir: string, name: string): string => path.join(dataDir, `${name}.pid`);

async function endRecorded(file: string, name: string): Promise<void> {
  const pid = await recorded(file, name);
  if (pid !== undefined) await endProcess(pid, 'SIGTERM', stopWithinMs);
  await rm(file, { force: true });
}

/** The process of a pid file, if it is still the one that wrote it. */
async function recorded(file: string, name: string): Promise<number | undefined> {
  const pid = Number(await readFile(file, 'utf8').catch(() => ''));
  if (!pid || pid === process.pid) return undefined;
  return (await commandLine(pid)).includes(`main.js ${name}`) ? pid : undefined;
}
