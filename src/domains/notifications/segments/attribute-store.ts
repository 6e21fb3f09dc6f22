import type { Queryable } from '../../../platform/postgres.js';
import { sql as statements } from './attribute-store.sql.js';
import type { AttributeTypes } from './attribute-types.js';
import type { StoredAttributes } from './attributes.js';

/** So many names of attributes there may be, of all users together. */
export const MAX_NAMES = 1_000;

/** The attributes that there are, by name: at most `MAX_NAMES`. */
export async function findTypes(postgres: Queryable): Promise<AttributeTypes> {
  const { rows } = await postgres.query(statements.allTypes);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/**
 * The types of those among the names that have one. Where some have none yet, nobody else can give them one until the transaction
 * ends.
 */
export async function lockTypes(tx: Queryable, names: readonly string[]): Promise<AttributeTypes> {
  const find = async () => (await tx.query(statements.typesOf, [names])).rows;
  let rows = await find();
  if (rows.length < names.length) {
    await tx.query(statements.lockTypes);
    rows = await find();
  }
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** Gives names their types, unless there would be more than `MAX_NAMES`. */
export async function addTypes(tx: Queryable, types: AttributeTypes, now: Date): Promise<boolean> {
  if (types.size === 0) return true;
  const values = [[...types.keys()], [...types.values()], now, MAX_NAMES];
  return (await tx.query(statements.addTypes, values)).rowCount === types.size;
}

/** What users have, whose rows nobody else changes until the transaction ends. Each of them has a row afterwards. */
export async function lockUsers(
  tx: Queryable,
  userIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, StoredAttributes>> {
  await tx.query(statements.addUsers, [userIds, now]);
  const { rows } = await tx.query(statements.lockUsers, [userIds]);
  return new Map(rows.map(({ userId, attributes }) => [userId, attributes]));
}

/** Stores all that users have, whose rows are locked. */
export async function putAttributes(
  tx: Queryable,
  attributes: ReadonlyMap<string, StoredAttributes>,
  now: Date,
): Promise<void> {
  if (attributes.size === 0) return;
  const objects = [...attributes.values()].map((one) => JSON.stringify(one));
  await tx.query(statements.putAttributes, [[...attributes.keys()], objects, now]);
}
