import { z } from 'zod';
import type { Caller } from '../../../platform/caller.js';

import { type ReadDeps, readOne } from '../read.js';
import type { Wait } from '../read-your-writes.js';
import { transferTopic } from './events.js';
import { sql } from './read.sql.js';
import type { Transfer } from './transfer.js';

/**
 * A transfer, to the owner of its source account or an admin; null where there is none. The target's owner sees
 * what arrived in their account.
 *
 * @param wait until the transfer has reached a version; see `readAfterVersion`
 * @throws PublicError READ_MODEL_TIMEOUT, BAD_USER_INPUT, SERVICE_UNAVAILABLE
 */
export function readTransfer(
  { postgres, waits }: ReadDeps,
  caller: Caller,
  transferId: string,
  wait?: Wait,
): Promise<Transfer | null> {
  const of = { kind: 'transfer', id: transferId, topic: transferTopic(transferId) } as const;
  const find = async () => {
    const { rows } = await postgres.query(sql.readTransfer, [transferId]);
    const model = rows[0] && transferRow.parse(rows[0]);
    return model ? { model, ownerId: model.ownerId } : null;
  };
  return readOne(waits, caller, of, find, wait);
}

const transferRow = z
  .object({
    transfer_id: z.string(),
    from_account_id: z.string(),
    to_account_id: z.string(),
    owner_id: z.string(),
    amount: z.string(),
    currency: z.string(),
    description: z.string().nullable(),
    status: z.enum(['STARTED', 'DEBITED', 'COMPLETED', 'REFUSED', 'COMPENSATED']),
    reason: z.string().nullable(),
    version: z.int(),
  })
  .transform(
    (row): Transfer => ({
      transferId: row.transfer_id,
      fromAccountId: row.from_account_id,
      toAccountId: row.to_account_id,
      ownerId: row.owner_id,
      amount: row.amount,
      currency: row.currency,
      description: row.description,
      status: row.status,
      reason: row.reason,
      version: row.version,
    }),
  );
