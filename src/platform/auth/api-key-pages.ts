import { z } from 'zod';
import { type Connection, cursorsOf, LIST_START, type PageRequest, toConnection } from '../paging.js';
import type { Queryable, RowOf } from '../postgres/postgres.js';
import { isApiKeyId } from './api-key.js';
import { sql as statements } from './api-key-pages.sql.js';
import { isRole, isUserId, type Role } from './auth.js';

/** A key as admins see it; never its secret, nor the hash of that. */
export type ShownApiKey = Omit<RowOf<typeof statements.byId>, 'roles'> & { readonly roles: readonly Role[] };

const cursors = cursorsOf('api-keys', z.tuple([z.int().nonnegative().max(8.64e15), z.string().max(32)]));

const pages = {
  ofAll: { forward: statements.forward, backward: statements.backward },
  ofUser: { forward: statements.ofUserForward, backward: statements.ofUserBackward },
};

/**
 * Every key, or one user's; revoked ones too, newest first.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function pageApiKeys(
  postgres: Queryable,
  page: PageRequest,
  userId: string | null,
): Promise<Connection<ShownApiKey>> {
  const cursor = cursors.read(page.cursor);
  const from = cursor ? [new Date(cursor[0]), cursor[1]] : LIST_START[page.direction];
  if (userId !== null && !isUserId(userId)) return toConnection<ShownApiKey>(page, [], cursorOf);
  const statement = pages[userId === null ? 'ofAll' : 'ofUser'][page.direction];
  const { rows } = await postgres.query(statement, [
    ...from,
    page.limit + 1,
    ...(userId === null ? [] : [userId]),
  ]);
  return toConnection(page, rows.map(toShown), cursorOf);
}

/** A key, revoked or not; null where there is none. */
export async function findShownApiKey(postgres: Queryable, apiKeyId: string): Promise<ShownApiKey | null> {
  if (!isApiKeyId(apiKeyId)) return null;
  const { rows } = await postgres.query(statements.byId, [apiKeyId]);
  return rows[0] ? toShown(rows[0]) : null;
}

/** Roles that this version does not know mean nothing here. */
const toShown = (row: RowOf<typeof statements.byId>): ShownApiKey => ({
  ...row,
  roles: row.roles.filter(isRole),
});

const cursorOf = ({ createdAt, apiKeyId }: ShownApiKey): string =>
  cursors.write(createdAt.getTime(), apiKeyId);
