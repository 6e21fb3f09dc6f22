import { readFile } from 'node:fs/promises';

/** What a process holds in memory; Linux only. */
export interface Memory {
  /** Its own pages, and of each that others map too its part: what processes hold together is the sum. */
  readonly pssMb: number;
  readonly rssMb: number;
}

export async function memoryOf(pid: number | undefined): Promise<Memory> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const of = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { pssMb: of('Pss'), rssMb: of('Rss') };
}
