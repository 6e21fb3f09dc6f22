import { readerOf } from '../read.js';
import { transferTopic } from './events.js';
import type { Transfer } from './transfer.js';
import { sql } from './transfers.sql.js';

/** A transfer, to the owner of its source account or an admin. The target's owner sees what arrived in their account. */
export const readTransfer = readerOf<Transfer>({
  kind: 'transfer',
  topicOf: transferTopic,
  find: async (postgres, transferId) => (await postgres.query(sql.readTransfer, [transferId])).rows[0],
  ownerOf: ({ ownerId }) => ownerId,
});
