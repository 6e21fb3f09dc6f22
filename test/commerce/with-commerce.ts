import { pino } from 'pino';
import { Registry } from 'prom-client';
import { type Commerce, createCommerce, upcasters } from '../../src/domains/commerce/index.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import { systemClock } from '../../src/platform/clock.js';
import { createEventLog, createLogTail, type EventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import type { LogWatch } from '../../src/platform/logging/log-signal.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import type { Projector } from '../../src/platform/projector/projector.js';
import { createProjectorMetrics, runProjector } from '../../src/platform/projector/run.js';
import { createTestDatabase } from '../support/database.js';

export const ids = uuidV7Ids(systemClock);

export const callerNamed = (userId: string, ...roles: 'admin'[]): Caller => ({
  viewer: { userId, roles: new Set(['user' as const, ...roles]), plan: 'free' },
  correlationId: `story of ${userId}`,
});

export interface CommerceOnTest {
  readonly url: string;
  readonly postgres: Postgres;
  readonly log: EventLog;
  readonly commerce: Commerce;
  close(): Promise<void>;
}

/** Commerce on an empty database of its own. */
export async function openCommerce(): Promise<CommerceOnTest> {
  const database = await createTestDatabase();
  const opened = joinCommerce(database.url);
  return {
    ...opened,
    async close() {
      await opened.close();
      await database.drop();
    },
  };
}

/** A second process's commerce on a database that is there. */
export function joinCommerce(url: string): CommerceOnTest {
  const postgres = openPostgres(url, { max: 6, applicationName: 'test', onError: () => undefined });
  const log = createEventLog({ postgres, ids, upcasters });
  return {
    url,
    postgres,
    log,
    commerce: createCommerce({ postgres, log, ids, clock: systemClock }),
    close: () => postgres.close(),
  };
}

/** Looks at the log again and again, without being rung. */
const impatient: LogWatch = {
  grown: (_, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(done, 5);
      signal.addEventListener('abort', done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
    }),
};

/** Runs a projector until it is stopped. */
export function startProjector(on: Pick<CommerceOnTest, 'url' | 'log'>, projector: Projector) {
  const stop = new AbortController();
  const logger = pino({ level: 'silent' });
  const metrics = createProjectorMetrics(new Registry());
  const running = runProjector(
    {
      databaseUrl: on.url,
      log: on.log,
      tail: createLogTail(on.log),
      watch: impatient,
      wakeUps: { publish: async () => undefined },
      logger,
      metrics,
    },
    projector,
    stop.signal,
  );
  return {
    metrics,
    async stop(): Promise<void> {
      stop.abort();
      await running;
    },
  };
}

/** The last position that a projector has applied. */
export async function checkpointOf(
  { postgres }: Pick<CommerceOnTest, 'postgres'>,
  projector: string,
): Promise<number> {
  const { rows } = await postgres.query<{ last_position: number }>(
    'SELECT projector_position($1) AS last_position',
    [projector],
  );
  return rows[0]?.last_position ?? 0;
}
