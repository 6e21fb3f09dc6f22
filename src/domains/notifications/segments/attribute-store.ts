import { type Caller, isAdmin } from '../../../platform/auth/caller.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './attribute-store.sql.js';
import type { AttributeTypes } from './attribute-types.js';
import type { StoredAttributes } from './attributes.js';

/** So many names of attributes there may be, of all users together. */
const MAX_NAMES = 1_000;
/** And so many that one producer made, which leaves names for others; admins are not bound by it. */
const MAX_OWN_NAMES = 200;

/** The attributes that there are, by name: at most 1,000. */
export async function findTypes(postgres: Queryable): Promise<AttributeTypes> {
  const { rows } = await postgres.query(statements.allTypes);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** Names that a transaction is about. */
export interface LockedTypes {
  /** Of those that have one. */
  readonly types: AttributeTypes;
  /** Those whose values are being removed. */
  readonly beingDeleted: readonly string[];
}

/**
 * The types of those among the names that have one. Until the transaction ends none of them is deleted, and where some have none yet,
 * nobody else can give them one.
 */
export async function lockTypes(tx: Queryable, names: readonly string[]): Promise<LockedTypes> {
  const find = async () => (await tx.query(statements.typesOf, [names])).rows;
  let rows = await find();
  if (rows.length < names.length) {
    await tx.query(statements.lockTypes);
    rows = await find();
  }
  return {
    types: new Map(rows.map(({ name, type }) => [name, type])),
    beingDeleted: rows.filter((row) => row.isBeingDeleted).map(({ name }) => name),
  };
}

/**
 * Gives names their types. The caller has `lockTypes` of them.
 *
 * @returns which bound there would be more names than, where nothing is written; else null
 */
export async function addTypes(
  tx: Queryable,
  types: AttributeTypes,
  by: Caller,
  now: Date,
): Promise<string | null> {
  if (types.size === 0) return null;
  const { userId } = by.viewer;
  const counted = (await tx.query(statements.countTypes, [userId])).rows[0]!;
  if (counted.all + types.size > MAX_NAMES)
    return `There are at most ${MAX_NAMES} attributes, of all users together`;
  if (!isAdmin(by) && counted.own + types.size > MAX_OWN_NAMES)
    return `A producer makes at most ${MAX_OWN_NAMES} of the attributes that there are; an admin may make more`;
  await tx.query(statements.addTypes, [[...types.keys()], [...types.values()], userId, now]);
  return null;
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

/** What a user has; nothing for those of whom nothing was set. */
export async function findAttributes(postgres: Queryable, userId: string): Promise<StoredAttributes> {
  return (await postgres.query(statements.attributesOf, [userId])).rows[0]?.attributes ?? {};
}
