import pg from 'pg';
import { expect } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { leastOf, openBlockMeter } from './blocks.js';
import { SMALL_SCALE_PLANS, startMeteredPostgres } from './world.js';

/** Rows that lived and are over, in each of the tables; vacuum may remove none of them. */
export const DEAD = 5_000;
/** What a longer index is deeper by, and a page or two that a statement meets by chance. */
const MORE_BLOCKS = 8;

/** A database of which somebody holds a snapshot of before everything, as a dump does. */
export interface HeldDatabase {
  readonly postgres: Postgres;
  /** Whatever lives and is over meanwhile must not cost `work` more blocks. */
  expectFlat(work: () => Promise<unknown>, wearOut: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

export async function openHeldDatabase(name: string): Promise<HeldDatabase> {
  const server = await startMeteredPostgres(
    (path) =>
      import(/* @vite-ignore */ new URL(`../../src/${path.replace(/\.js$/, '.ts')}`, import.meta.url).href),
  );
  const url = await server.create(name, SMALL_SCALE_PLANS);
  const meter = await openBlockMeter(url);
  const postgres = openPostgres(url, { max: 2, applicationName: 'test', onError: () => undefined });
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await holder.query('SELECT count(*) FROM events');
  return {
    postgres,
    async expectFlat(work, wearOut) {
      for (let time = 0; time < 3; time += 1) await work();
      const early = await leastOf(meter, 3, work);
      await wearOut();
      await postgres.query('VACUUM');
      const late = await leastOf(meter, 3, work);
      expect({ late: late.blocks, early: early.blocks, heaviest: late.heaviest[0] }).toSatisfy(
        () => late.blocks <= early.blocks * 1.5 + MORE_BLOCKS,
        `${early.blocks} to ${late.blocks} blocks: ${late.heaviest[0]?.statement}`,
      );
    },
    async close() {
      await holder.end();
      await postgres.close();
      await meter.close();
      await server.stop();
    },
  };
}

/** Over the hour before the last half minute. */
export const DUE_THEN = "now() - interval '30 seconds' - n * interval '0.7 seconds'";

export const times = async (count: number, work: (n: number) => Promise<unknown>): Promise<void> => {
  for (let n = 0; n < count; n += 1) await work(n);
};
