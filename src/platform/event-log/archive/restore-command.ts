import { openPostgres } from '../../postgres.js';
import { WITHOUT_TIMEOUTS } from '../../postgres-timeouts.js';
import { restoreEvents } from './restore.js';
import { type ArchiveTarget, openArchiveStore } from './store.js';

/** `tidings restore-events`; see `restoreEvents`. */
export async function restoreEventsOf(
  databaseUrl: string,
  target: ArchiveTarget,
  position: number,
  say: (line: string) => void,
): Promise<number> {
  const postgres = openPostgres(databaseUrl, {
    max: 1,
    applicationName: 'tidings restore-events',
    timeouts: WITHOUT_TIMEOUTS,
    onError: (error) => say(`the connection to the database broke: ${error.message}`),
  });
  try {
    return await restoreEvents({ postgres, store: openArchiveStore(target), say }, position);
  } finally {
    await postgres.close();
  }
}
