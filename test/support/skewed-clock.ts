import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The wall clock of one real process, in a test's hands. */
export interface SkewedClock {
  /** For `startWorker` and `startApi`. */
  readonly env: Readonly<Record<string, string>>;
  /** The process's clock is so far ahead from now on; behind where it is negative. */
  set(offsetMs: number): Promise<void>;
  remove(): Promise<void>;
}

/** @param offsetMs how far ahead the process starts */
export async function skewedClock(offsetMs = 0): Promise<SkewedClock> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-clock-'));
  const file = path.join(folder, 'offset');
  const set = (ms: number): Promise<void> => writeFile(file, String(ms));
  await set(offsetMs);
  const preload = new URL('./skewed-clock.mjs', import.meta.url);
  return {
    env: { NODE_OPTIONS: `--import=${preload}`, SKEWED_CLOCK_FILE: file },
    set,
    remove: () => rm(folder, { recursive: true }),
  };
}
