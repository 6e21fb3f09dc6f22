import type { Caller } from '../auth/caller.js';
import { ok, type Result, refused } from '../errors.js';
import type { Queryable, RowOf } from '../postgres/postgres.js';
import { sql as lag } from './lag.sql.js';
import { sql } from './overview.sql.js';

/** A projector whose oldest waiting event is younger than this keeps up. */
const KEEPS_UP_MS = 1_000;

export const projectorStates = ['LIVE', 'CATCHING_UP', 'REBUILDING', 'STALLED'] as const;

/** A rebuild that is wanted or under way. */
export interface RebuildProgress {
  readonly requestedAt: Date;
  readonly requestedBy: string;
  /** Null while it waits for the process that runs the projector. */
  readonly startedAt: Date | null;
  /** The last log position in the new tables that is committed. */
  readonly position: number;
  /** Where the live read model is, up to which the new one is built. */
  readonly targetPosition: number;
}

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
  /** Null while none is wanted. */
  readonly rebuild: RebuildProgress | null;
}

/** Every projector that ever ran, by name, without those that were forgotten. */
export async function listProjectors(postgres: Queryable): Promise<readonly ProjectorOverview[]> {
  return (await postgres.query(sql.listProjectors, [KEEPS_UP_MS])).rows.map(toOverview);
}

function toOverview(row: RowOf<typeof sql.listProjectors>): ProjectorOverview {
  const { rebuildRequestedAt, rebuildRequestedBy, rebuildStartedAt, rebuildPosition, ...projector } = row;
  if (rebuildRequestedAt === null) return { ...projector, rebuild: null };
  return {
    ...projector,
    rebuild: {
      requestedAt: rebuildRequestedAt,
      requestedBy: rebuildRequestedBy ?? '',
      startedAt: rebuildStartedAt,
      position: rebuildPosition ?? 0,
      targetPosition: projector.lastPosition,
    },
  };
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
  if (!projector) return notFound();
  if (!projector.rebuildable) {
    const message = `${name} keeps no read model: its work is never repeated`;
    return refused('PROJECTOR_NOT_REBUILDABLE', message, ['input', 'name']);
  }
  await postgres.query(sql.requestRebuild, [name, caller.viewer.userId]);
  return ok((await findProjector(postgres, name)) ?? projector);
}

/**
 * Takes a projector that no version runs any more off the list, and out of what lags. Its checkpoint and tables stay: one that comes back
 * goes on from there, and is listed again.
 *
 * Refused with PROJECTOR_NOT_FOUND, or with PROJECTOR_RUNNING where a process has it.
 *
 * @returns its name
 */
export async function forgetProjector(postgres: Queryable, name: string): Promise<Result<string>> {
  const { rows } = await postgres.query(sql.forgetProjector, [name]);
  if (rows[0]) return ok(rows[0].name);
  if (!(await findProjector(postgres, name))) return notFound();
  return refused('PROJECTOR_RUNNING', `A process runs ${name}: it would be listed again`, ['input', 'name']);
}

const notFound = () => refused('PROJECTOR_NOT_FOUND', 'There is no such projector', ['input', 'name']);

const findProjector = async (postgres: Queryable, name: string): Promise<ProjectorOverview | undefined> =>
  (await listProjectors(postgres)).find((projector) => projector.name === name);
