import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { createEventLog, type EventLog, type RecordedEvent } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

export interface PartitionedLog {
  readonly url: string;
  readonly postgres: Postgres;
  readonly log: EventLog;
}

/**
 * An empty log whose partitions end before these positions; the last of them should be far away. It goes with the test, and so does
 * the database.
 */
export async function openPartitionedLog(
  ends: readonly number[],
  creating: Promise<TestDatabase> = createTestDatabase(),
): Promise<PartitionedLog> {
  const database = await creating;
  onTestFinished(() => database.drop());
  const postgres = openPostgres(database.url, {
    max: 4,
    applicationName: 'partitioned log',
    onError: () => undefined,
  });
  onTestFinished(() => postgres.close());
  await partition(postgres, ends);
  return { url: database.url, postgres, log: createEventLog({ postgres, ids: uuidV7Ids(systemClock) }) };
}

/** Gives an empty log these partitions. */
export async function partition(postgres: Postgres, ends: readonly number[]): Promise<void> {
  await postgres.query('DROP TABLE events_from_1');
  let from = 1;
  for (const end of ends) {
    const name = `events_from_${from}`;
    for (const statement of [
      `CREATE TABLE ${name} (LIKE events INCLUDING ALL)`,
      `CREATE UNIQUE INDEX ${name}_stream ON ${name} (stream_id, stream_position)`,
      `CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${name}
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
      `ALTER TABLE ${name} ENABLE ALWAYS TRIGGER events_are_append_only`,
      `ALTER TABLE events ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${end})`,
    ])
      await postgres.query(statement);
    from = end;
  }
}

/** Appends one event to each of these streams, in about this order. */
export async function write(log: EventLog, streams: readonly string[]): Promise<void> {
  for (let from = 0; from < streams.length; from += 200)
    await Promise.all(
      streams.slice(from, from + 200).map((streamId, n) =>
        log.append({
          metadata: { correlationId: `story ${from + n}`, causationId: 'test' },
          appends: [
            { streamId, expected: 'any', events: [{ type: 'Noted', data: { n: from + n, streamId } }] },
          ],
        }),
      ),
    );
}

/** The whole log, read by position; by stream, each in the order of its places. */
export async function readWhole(
  log: Pick<EventLog, 'readAll'>,
): Promise<{ events: RecordedEvent[]; byStream: Map<string, RecordedEvent[]> }> {
  const events: RecordedEvent[] = [];
  for (let after = 0; ; ) {
    const window = await log.readAll(after, 1_000);
    if (window.through === after) break;
    events.push(...window.events);
    after = window.through;
  }
  return { events, byStream: Map.groupBy(events, ({ streamId }) => streamId) };
}

/** Pseudo-random numbers from 0 to 1; the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
