import { expect, vi } from 'vitest';
import { createEventLog, type EventLog, type Upcasters } from '../../src/platform/event-log/index.js';
import { openPostgres, type Postgres, type Queryable } from '../../src/platform/postgres/postgres.js';
import {
  listProjectors,
  type ProjectorOverview,
  requestRebuild,
} from '../../src/platform/projector/overview.js';
import type { Projector } from '../../src/platform/projector/projector.js';
import { callerNamed, checkpointOf, ids } from '../commerce/with-commerce.js';
import { createTestDatabase } from '../support/database.js';

export const admin = callerNamed('admin', 'admin');

/** A log of its own, and tables for the projector `tally`. */
export interface ProjectorWorld {
  readonly url: string;
  readonly postgres: Postgres;
  readonly log: EventLog;
  count(stream: string, ...by: (number | string)[]): Promise<void>;
  close(): Promise<void>;
}

export async function openProjectorWorld(upcasters: Upcasters = {}): Promise<ProjectorWorld> {
  const database = await createTestDatabase();
  const postgres = openPostgres(database.url, { max: 8, applicationName: 'test', onError: () => undefined });
  const log = createEventLog({ postgres, ids, upcasters });
  await postgres.query(TABLES);
  return {
    url: database.url,
    postgres,
    log,
    async count(streamId, ...by) {
      const metadata = { correlationId: 'story', causationId: 'test', userId: 'alice' };
      const events = by.map((amount) => ({ type: 'Counted', data: { by: amount } }));
      await log.append({ metadata, appends: [{ streamId, expected: 'any', events }] });
    },
    async close() {
      await postgres.close();
      await database.drop();
    },
  };
}

/** With all that CREATE TABLE LIKE would rename or forget. */
const TABLES = `
  CREATE TABLE tally (
    stream_id TEXT CONSTRAINT "the tally's key" PRIMARY KEY,
    total BIGINT NOT NULL CONSTRAINT never_mad CHECK (total < 1000000000),
    last_event_position BIGINT NOT NULL CONSTRAINT one_event_one_row UNIQUE
  ) WITH (fillfactor = 50, autovacuum_enabled = false);
  CREATE INDEX "by total, high first" ON tally (total DESC NULLS LAST, stream_id) WHERE total > 0;
  CREATE INDEX by_shout ON tally (upper(stream_id));
  COMMENT ON COLUMN tally.total IS 'the sum';
  GRANT SELECT ON tally TO PUBLIC;
  CREATE TABLE tally_lines (position BIGINT PRIMARY KEY, stream_id TEXT NOT NULL, by BIGINT NOT NULL)`;

/** Keeps the sums of what was counted; `check` sees each event first, in either read model. */
export const tally = (
  options: {
    name?: string;
    check?: (position: number, tx: Queryable) => unknown;
    onCommit?: (positions: readonly number[]) => void;
  } = {},
): Projector => ({
  name: options.name ?? 'tally',
  tables: ['tally', 'tally_lines'],
  eventTypes: new Set(['Counted']),
  async apply(events, tx) {
    for (const { globalPosition } of events) await options.check?.(globalPosition, tx);
    await tx.query(
      {
        name: 'test.tally',
        text: `WITH lines AS (
            INSERT INTO tally_lines SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])
            RETURNING position, stream_id, by
          )
          INSERT INTO tally AS t SELECT stream_id, sum(by), max(position) FROM lines GROUP BY stream_id
          ON CONFLICT (stream_id) DO UPDATE
          SET total = t.total + excluded.total, last_event_position = excluded.last_event_position`,
      },
      [
        events.map(({ globalPosition }) => globalPosition),
        events.map(({ streamId }) => streamId),
        events.map(({ data }) => data.by),
      ],
    );
    return async () => options.onCommit?.(events.map(({ globalPosition }) => globalPosition));
  },
});

export const until = (check: () => Promise<void> | void): Promise<void> =>
  vi.waitFor(check, { timeout: 30_000, interval: 10 });

type On = Pick<ProjectorWorld, 'postgres' | 'log'>;

export const caughtUp = (on: On, name: string): Promise<void> =>
  until(async () => expect(await checkpointOf(on, name)).toBe(await on.log.head()));

export async function overviewOf(
  { postgres }: Pick<On, 'postgres'>,
  name: string,
): Promise<ProjectorOverview> {
  return (await listProjectors(postgres)).find((projector) => projector.name === name)!;
}

/** Asks for a rebuild; then waits until it is over. */
export async function rebuilt(on: Pick<On, 'postgres'>, name: string): Promise<ProjectorOverview> {
  expect(await requestRebuild(on.postgres, admin, name)).toMatchObject({ ok: true });
  return rebuildOver(on, name);
}

export async function rebuildOver(on: Pick<On, 'postgres'>, name: string): Promise<ProjectorOverview> {
  await until(async () => {
    const { rows } = await on.postgres.query(
      'SELECT finished_at FROM projector_rebuilds WHERE projector_name = $1',
      [name],
    );
    expect(rows[0]?.finished_at).toBeInstanceOf(Date);
  });
  return overviewOf(on, name);
}

/** Breaks a session, as a kill of its process would. */
export const killSession = ({ postgres }: Pick<On, 'postgres'>, name: string) =>
  postgres.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1`,
    [name],
  );

/** What `tally` must hold, from the log alone. */
export async function expectTallied({ postgres }: Pick<On, 'postgres'>): Promise<void> {
  const { rows } = await postgres.query(
    `WITH counted AS (
       SELECT global_position, stream_id, (data ->> 'by')::bigint AS by FROM events WHERE event_type = 'Counted'
     )
     SELECT
       (SELECT jsonb_object_agg(stream_id, total ORDER BY stream_id) FROM tally) AS totals,
       (SELECT jsonb_object_agg(stream_id, total ORDER BY stream_id)
        FROM (SELECT stream_id, sum(by) AS total FROM counted GROUP BY stream_id) t) AS expected,
       (SELECT count(*) FROM (TABLE tally_lines EXCEPT TABLE counted) x)
         + (SELECT count(*) FROM (TABLE counted EXCEPT TABLE tally_lines) x) AS wrong_lines`,
  );
  expect(rows[0]).toEqual({ totals: rows[0]?.expected, expected: rows[0]?.expected, wrong_lines: 0 });
}
