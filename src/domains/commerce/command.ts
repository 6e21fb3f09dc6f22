import { type Caller, isAdmin } from '../../platform/auth/caller.js';
import type { Clock } from '../../platform/clock.js';
import type { EventLog } from '../../platform/event-log/index.js';
import type { KeptStates } from '../../platform/event-log/kept-states.js';
import type { InTurn } from '../../platform/event-log/turns.js';
import type { Ids } from '../../platform/ids.js';
import type { Queryable } from '../../platform/postgres/postgres.js';

/** What commands work with. */
export interface CommandDeps {
  readonly postgres: Queryable;
  readonly log: EventLog;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly inTurn: InTurn;
  readonly kept: KeptStates;
}

/** What an accepted command answers. */
export interface Accepted {
  /** The raw id of what it was about; made up where the client gave none. */
  readonly aggregateId: string;
  /** The stream's version after it, to be passed as `afterVersion`. */
  readonly version: number;
  /** The log's position after it. */
  readonly position: number;
}

/** Absent fields of an input may be undefined or null. */
export type Optional<T> = T | null | undefined;

/** Who gives a command, as far as deciders care. */
export interface Actor {
  readonly userId: string;
  readonly isAdmin: boolean;
}

export const actorOf = (caller: Caller): Actor => ({
  userId: caller.viewer.userId,
  isAdmin: isAdmin(caller),
});
