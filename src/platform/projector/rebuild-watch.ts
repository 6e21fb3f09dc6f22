import type { Queryable } from '../postgres/postgres.js';
import type { Projector } from './projector.js';
import { type RebuildDeps, rebuild } from './rebuild.js';
import { sql } from './rebuild-watch.sql.js';

const LOOK_EVERY_MS = 1_000;

/** Runs the rebuilds that are asked for, one after the other, while its caller holds the projector. */
export function watchRebuilds(
  deps: RebuildDeps,
  projector: Projector,
  connection: Queryable,
  until: AbortSignal,
): { look(): Promise<void>; stop(): Promise<void> } {
  const stopping = new AbortController();
  const signal = AbortSignal.any([until, stopping.signal]);
  let running: Promise<void> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    await rebuild(deps, projector, signal).catch((error: unknown) =>
      deps.logger.error({ err: error, projector: projector.name }, 'a rebuild lost its connection'),
    );
    running = undefined;
  }

  return {
    /** Starts a rebuild where one is wanted. Between transactions; looks once a second at most. */
    async look() {
      const now = performance.now();
      if (!projector.tables?.length || running || now < lookedAt + LOOK_EVERY_MS) return;
      lookedAt = now;
      const { rowCount } = await connection.query(sql.readRequest, [projector.name]);
      if (rowCount) running = run();
    },
    /** Abandons the one under way. */
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
