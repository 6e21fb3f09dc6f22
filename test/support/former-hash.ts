import { createHash } from 'node:crypto';
import type { Queryable } from '../../src/platform/postgres/postgres.js';

/** Has the command that was accepted last look as if a process had accepted it that hashed this body. */
export async function hashedFormerly(postgres: Queryable, body: object): Promise<void> {
  const hash = createHash('sha256').update(JSON.stringify(body)).digest();
  await postgres.query(
    `UPDATE commands SET body_hash = $1
     WHERE (result ->> 'position')::bigint = (SELECT max((result ->> 'position')::bigint) FROM commands)`,
    [hash],
  );
}
