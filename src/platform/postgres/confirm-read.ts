import type { Queryable, Statement } from './postgres.js';

const statement: Statement = {
  name: 'confirm-read.confirm',
  text: `SELECT pg_logical_emit_message(true, 'tidings', '')`,
};

/**
 * Resolves once what was read before is on the synchronous standby, too, where there is one: a commit that writes waits for it, and
 * one that only reads does not. To be called before a repeat is answered from what its first try has stored: that may have been
 * committed without having been confirmed.
 *
 * @param primary what was read by, and no transaction
 */
export async function confirmRead(primary: Queryable): Promise<void> {
  await primary.query(statement);
}
