import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Turn } from './media-task.js';
import { DEAD_AFTER_SECONDS, type ProcessDeps, processMedia, type Run } from './process.js';
import { sql } from './turns.sql.js';

const STALLED_AT_ONCE = 1_000;

interface Deps {
  readonly postgres: Queryable;
}

/**
 * Processes the upload of an owner that waits longest, if one does. Where it throws, the sweeper finds what is left.
 *
 * @returns whether another one waits: the owner is to be enqueued again, behind others
 */
export async function takeTurn(deps: ProcessDeps, turn: Turn, run: Run): Promise<{ more: boolean }> {
  const mediaId = await nextOf(deps, turn);
  if (mediaId === null) return { more: false };
  await processMedia(deps, mediaId, run);
  return { more: (await nextOf(deps, turn)) !== null };
}

async function nextOf({ postgres }: Deps, { ownerId, kind }: Turn): Promise<string | null> {
  const { rows } = await postgres.query(sql.next, [ownerId, kind, DEAD_AFTER_SECONDS]);
  return rows[0]?.media_id ?? null;
}

/** Owners of uploads that no run works on. */
export async function findStalledTurns({ postgres }: Deps): Promise<Turn[]> {
  const { rows } = await postgres.query(sql.stalled, [DEAD_AFTER_SECONDS, STALLED_AT_ONCE]);
  return rows.map((row) => ({ ownerId: row.owner_id, kind: row.kind }));
}

/** Whose turn an upload waits for; nobody's where it is gone. */
export async function turnOf({ postgres }: Deps, mediaId: string): Promise<Turn[]> {
  const { rows } = await postgres.query(sql.owner, [mediaId]);
  return rows.map((row) => ({ ownerId: row.owner_id, kind: row.kind }));
}
