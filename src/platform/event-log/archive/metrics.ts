import { Gauge, type Registry } from 'prom-client';
import { withinMs } from '../../deadline.js';
import type { Queryable, RowOf } from '../../postgres/postgres.js';
import { sql } from './metrics.sql.js';

const SCRAPE_MS = 1_000;

/** Measures the archive on every scrape. While the database does not answer within 1 s nothing is said of it. */
export function observeEventArchive(registry: Registry, postgres: Queryable): void {
  const gauges: readonly [keyof RowOf<typeof sql.readArchive>, string, string][] = [
    ['partitions', 'event_archive_partitions', 'Partitions of the log that are in the archive alone'],
    ['bytes', 'event_archive_bytes', 'Size of their objects in the store, compressed'],
    ['lastPosition', 'event_archive_last_position', 'Position of the newest archived event; 0: none'],
  ];
  for (const [of, name, help] of gauges)
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.remove();
        const read = postgres.query(sql.readArchive);
        const answer = await withinMs(SCRAPE_MS, read).catch(() => undefined);
        if (answer) this.set(answer.rows[0]![of]);
      },
    });
}
