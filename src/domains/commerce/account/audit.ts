import type { Caller } from '../../../platform/caller.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';

/** One line of an account's audit listing. */
export interface AuditEntry {
  readonly eventType: string;
  /** As the event has it, never negative; null where it moved nothing. */
  readonly amount: string | null;
  readonly description: string | null;
  /** The user whose command it was. */
  readonly performedBy: string | null;
  /** The story it belongs to: the correlation id. */
  readonly transactionId: string | null;
  readonly createdAt: Date;
  readonly streamPosition: number;
}

export async function readAudit(
  _deps: { postgres: Queryable; log: EventLog },
  _caller: Caller,
  _accountId: string,
  _page: PageRequest,
): Promise<Connection<AuditEntry>> {
  throw new Error('not written yet');
}
