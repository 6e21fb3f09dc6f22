import type { Caller } from '../auth/caller.js';
import { ok, type Result, refused } from '../errors.js';
import type { Queryable } from '../postgres/postgres.js';
import { sql as lag } from './lag.sql.js';
import { sql } from './overview.sql.js';

/** A projector whose oldest waiting event is younger than this keeps up. */
const KEEPS_UP_MS = 1_000;

export const projectorStates = ['LIVE', 'CATCHING_UP', 'REBUILDING', 'STALLED'] as const;

/** How a projector of the fleet is doing. */
export interface ProjectorOverview {
  readonly name: string;
  /** Stalled: an event cannot be applied. Rebuilding: a rebuild is wanted or under way. */
  readonly state: (typeof projectorStates)[number];
  /** The last log position applied. */
  readonly lastPosition: number;
  readonly headPosition: number;
  readonly lagEvents: number;
  /** The age of the oldest event that is not applied yet; 0 where there is none. */
  readonly lagMs: number;
  /** The event that stalls it, or why its last rebuild came to nothing. */
  readonly lastError: string | null;
  /** When its checkpoint moved last. */
  readonly updatedAt: Date;
  /** When its last rebuild took over; null while another is wanted, or after one that came to nothing. */
  readonly rebuiltAt: Date | null;
  /** It keeps a read model, which can be built anew. */
  readonly rebuildable: boolean;
}

/** Every projector that ever ran, by name. */
export async function listProjectors(postgres: Queryable): Promise<readonly ProjectorOverview[]> {
  return (await postgres.query(sql.listProjectors, [KEEPS_UP_MS])).rows;
}

/** How far the log is, and the slowest projector behind it. */
export interface LogProgress {
  /** The position of the newest event; 0 of an empty log. */
  readonly head: number;
  /** The age of the oldest event that some projector has not applied yet, in milliseconds; 0 where there is none. */
  readonly lagMs: number;
}

export async function readLogProgress(postgres: Queryable): Promise<LogProgress> {
  const [projectors, { rows }] = await Promise.all([listProjectors(postgres), postgres.query(lag.readHead)]);
  return { head: rows[0]!.head, lagMs: Math.max(0, ...projectors.map(({ lagMs }) => lagMs)) };
}

/**
 * Asks the projector's holder to build its read model anew. Where that is wanted already, it changes nothing.
 *
 * Refused with PROJECTOR_NOT_FOUND, or with PROJECTOR_NOT_REBUILDABLE for one that causes follow-up work.
 *
 * @returns the projector, which waits for its rebuild
 */
export async function requestRebuild(
  postgres: Queryable,
  caller: Caller,
  name: string,
): Promise<Result<ProjectorOverview>> {
  const projector = await findProjector(postgres, name);
  if (!projector) return refused('PROJECTOR_NOT_FOUND', 'There is no such projector', ['input', 'name']);
  if (!projector.rebuildable) {
    const message = `${name} keeps no read model: its work is never repeated`;
    return refused('PROJECTOR_NOT_REBUILDABLE', message, ['input', 'name']);
  }
  await postgres.query(sql.requestRebuild, [name, caller.viewer.userId]);
  return ok((await findProjector(postgres, name)) ?? projector);
}

const findProjector = async (postgres: Queryable, name: string): Promise<ProjectorOverview | undefined> =>
  (await listProjectors(postgres)).find((projector) => projector.name === name);
