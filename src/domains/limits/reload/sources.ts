import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql } from './sources.sql.js';

/**
 * The sequence of the newest put when a process first saw this version of a configured source: now, if none has before.
 * The same on every process, for good.
 */
export async function firstSeenAfter(postgres: Queryable, version: string): Promise<number> {
  // What is there is only read, so that a read-only Postgres answers as well.
  return (await find(postgres, version)) ?? (await add(postgres, version));
}

async function add(postgres: Queryable, version: string): Promise<number> {
  await postgres.query(sql.addSource, [version]);
  // Where another process was first at the same moment, its row counts.
  const seenAfter = await find(postgres, version);
  if (seenAfter === undefined) throw new Error(`the source version ${version} was not recorded`);
  return seenAfter;
}

async function find(postgres: Queryable, version: string): Promise<number | undefined> {
  const { rows } = await postgres.query(sql.findSource, [version]);
  return rows[0]?.seen_after;
}
