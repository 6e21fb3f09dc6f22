import { z } from 'zod';
import type { Caller } from '../../../platform/auth/caller.js';
import type { EventLog, RecordedEvent } from '../../../platform/event-log/index.js';
import {
  type Connection,
  cursorsOf,
  type PagingArguments,
  readPaging,
  toConnection,
} from '../../../platform/paging.js';
import { accountStream, readAccountEvent } from './events.js';
import { assertOwnAccount } from './owner.js';

/** The stream position. */
const cursors = cursorsOf('account-audit', z.tuple([z.int32().nonnegative()]));

/** One line of an account's audit listing. */
export interface AuditEntry {
  readonly eventType: string;
  /** As the event has it, never negative; null where it moved nothing. */
  readonly amount: string | null;
  readonly description: string | null;
  /** The user whose command it was. */
  readonly performedBy: string | null;
  /** The correlation id. */
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
  log: Pick<EventLog, 'readStream' | 'lastPlace'>,
  caller: Caller,
  accountId: string,
  paging: PagingArguments,
): Promise<Connection<AuditEntry>> {
  const page = readPaging(paging);
  await assertOwnAccount(log, caller, accountId);
  const [cursor] = cursors.read(page.cursor) ?? [undefined];
  const streamId = accountStream(accountId);
  const events =
    page.direction === 'forward'
      ? await log.readStream(streamId, cursor ?? -1, page.limit + 1)
      : await readBefore(log, streamId, cursor, page.limit + 1);
  return toConnection(page, events.map(toEntry), ({ streamPosition }) => cursors.write(streamPosition));
}

/** The nearest first. @param before absent: from the last on */
async function readBefore(
  log: Pick<EventLog, 'readStream' | 'lastPlace'>,
  streamId: string,
  before: number | undefined,
  limit: number,
): Promise<RecordedEvent[]> {
  // Places in a stream have no gaps.
  const end = Math.min(before ?? Number.POSITIVE_INFINITY, (await log.lastPlace(streamId)) + 1);
  const after = Math.max(-1, end - limit - 1);
  return end === 0 ? [] : (await log.readStream(streamId, after, end - 1 - after)).reverse();
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
