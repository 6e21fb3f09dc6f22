import type { Queryable } from '../../platform/postgres.js';
import type { VersionWaits } from './version-waits.js';

/** What queries for one thing work with. */
export interface ReadDeps {
  readonly postgres: Queryable;
  readonly waits: VersionWaits;
}
