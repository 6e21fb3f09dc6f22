import pg from 'pg';
import { accountIds, amountMinor, type BankKind } from './bank.ts';

/** As many as the product's processes open. */
const connections = 10;
const deposit = {
  name: 'deposit',
  text: 'UPDATE accounts SET balance = balance + $2, version = version + 1 WHERE account_id = $1 RETURNING version',
};
const read = { name: 'read', text: 'SELECT version, balance FROM accounts WHERE account_id = $1' };

/**
 * The bare limit: no log and no projector, the balance changed where it lies. Who reads after his own write waits for
 * one durable UPDATE and one SELECT.
 */
export const inPlace: BankKind = {
  async found({ databaseUrl }) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(
      'CREATE TABLE accounts (account_id text PRIMARY KEY, balance bigint NOT NULL, version int NOT NULL)',
    );
    await client.query('INSERT INTO accounts SELECT id, 0, 0 FROM unnest($1::text[]) AS id', [accountIds]);
    await client.end();
  },
  async open({ databaseUrl }) {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
    async function readOne(accountId: string) {
      const { rows } = await pool.query<{ version: number; balance: string }>({
        ...read,
        values: [accountId],
      });
      if (!rows[0]) throw new Error(`${accountId} is not there`);
      return { version: rows[0].version, minorUnits: Number(rows[0].balance) };
    }
    return {
      async deposit(accountId) {
        const { rows } = await pool.query<{ version: number }>({
          ...deposit,
          values: [accountId, amountMinor],
        });
        if (!rows[0]) throw new Error(`${accountId} is not there`);
        return rows[0].version;
      },
      readAt: readOne,
      read: readOne,
      close: () => pool.end(),
    };
  },
};
