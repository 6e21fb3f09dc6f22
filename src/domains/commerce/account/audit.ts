import { z } from 'zod';
import type { Caller } from '../../../platform/caller.js';
import type { EventLog, RecordedEvent } from '../../../platform/event-log/index.js';
import {
  type Connection,
  decodeCursor,
  encodeCursor,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { accountStream, readAccountEvent } from './events.js';
import { assertOwnAccount } from './owner.js';

const sql = loadStatements(new URL('./audit.sql', import.meta.url), ['auditAfter', 'auditBefore']);
const FIRST = -1;
const BEYOND_LAST = 2 ** 31 - 1;

/** The stream position. */
const cursorShape = z.tuple([z.int32().nonnegative()]);

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

/**
 * Every event of an account, in the order of its stream, to its owner or an admin.
 *
 * @throws PublicError NOT_FOUND, BAD_CURSOR
 */
export async function readAudit(
  { postgres, log }: { postgres: Queryable; log: Pick<EventLog, 'readStream' | 'upcast'> },
  caller: Caller,
  accountId: string,
  page: PageRequest,
): Promise<Connection<AuditEntry>> {
  await assertOwnAccount(log, caller, accountId);
  const [from] = decodeCursor(page.cursor, cursorShape) ?? [
    page.direction === 'forward' ? FIRST : BEYOND_LAST,
  ];
  const { rows } = await postgres.query<RecordedEvent>(
    page.direction === 'forward' ? sql.auditAfter : sql.auditBefore,
    [accountStream(accountId), from, page.limit + 1],
  );
  return toConnection(
    page,
    rows.map((row) => toEntry(log.upcast(row))),
    ({ streamPosition }) => encodeCursor(streamPosition),
  );
}

function toEntry(recorded: RecordedEvent): AuditEntry {
  const { data } = readAccountEvent(recorded);
  const { metadata, createdAt, streamPosition, type } = recorded;
  return {
    eventType: type,
    amount: 'amount' in data ? data.amount : null,
    description: 'amount' in data ? data.description : null,
    performedBy: metadata.userId ?? null,
    transactionId: metadata.correlationId ?? null,
    createdAt,
    streamPosition,
  };
}
