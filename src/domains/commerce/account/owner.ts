import { type Caller, mayActFor } from '../../../platform/auth/caller.js';
import { PublicError } from '../../../platform/errors.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import { isAccountId } from '../rules.js';
import { accountStream, readAccountEvent } from './events.js';

/**
 * Whether there is such an account, and it is the caller's or the caller an admin; by the log itself: it need not be in the
 * read model yet.
 */
export async function findOwnAccount(
  log: Pick<EventLog, 'readStream'>,
  caller: Caller,
  accountId: string,
): Promise<boolean> {
  if (!isAccountId(accountId)) return false;
  const [first] = await log.readStream(accountStream(accountId), -1, 1);
  if (!first) return false;
  const created = readAccountEvent(first);
  if (created.type !== 'AccountCreated') throw new Error(`${first.streamId} begins with ${created.type}`);
  return mayActFor(caller, created.data.ownerId);
}

/** The same where there must be one. @throws PublicError NOT_FOUND */
export async function assertOwnAccount(...args: Parameters<typeof findOwnAccount>): Promise<void> {
  if (!(await findOwnAccount(...args))) throw new PublicError('NOT_FOUND', 'There is no such account');
}
