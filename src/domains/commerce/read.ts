import { z } from 'zod';
import { type Caller, mayActFor } from '../../platform/auth/caller.js';
import { type Connection, cursorsOf, type PageRequest, toConnection } from '../../platform/paging.js';
import type { Queryable } from '../../platform/postgres/postgres.js';
import type { Replicas } from '../../platform/postgres/replicas/replicas.js';
import { readAfterVersion, type Wait } from './read-your-writes.js';
import { isAccountId } from './rules.js';
import type { Thing, VersionWaits } from './version-waits.js';

/** What queries for one thing work with. */
export interface ReadDeps {
  readonly postgres: Queryable;
  readonly replicas: Pick<Replicas, 'noteWrite'>;
  readonly waits: VersionWaits;
}

/** Whether a thing of commerce may have this id. All of them follow one rule, so nothing is asked for any other. */
export const isId = isAccountId;

interface Readable<Model> {
  readonly kind: Thing['kind'];
  /** Where a wake-up comes when the read model has changed. */
  topicOf(id: string): string;
  find(postgres: Queryable, id: string): Promise<Model | undefined>;
  /** Null: everybody who is signed in may see it. */
  ownerOf(model: Model): string | null;
}

/**
 * The query for one thing as its read model has it, to its owner or an admin; null where there is none, and to everybody
 * else: nobody learns what there is. With `wait` it waits until the thing has reached a version; see `readAfterVersion`,
 * also for what it throws.
 */
export const readerOf =
  <Model extends { readonly version: number }>({ kind, topicOf, find, ownerOf }: Readable<Model>) =>
  async (
    { postgres, replicas, waits }: ReadDeps,
    caller: Caller,
    id: string,
    wait?: Wait,
  ): Promise<Model | null> => {
    if (!isId(id)) return null;
    const read = async (): Promise<Model | null> => {
      const model = await find(postgres, id);
      if (!model) return null;
      const ownerId = ownerOf(model);
      return ownerId === null || mayActFor(caller, ownerId) ? model : null;
    };
    if (!wait) return read();
    const { userId } = caller.viewer;
    const model = await readAfterVersion(waits, { kind, id, topic: topicOf(id), userId }, read, wait);
    // A list that they ask for next must not be older.
    await replicas.noteWrite(userId);
    return model;
  };

const idCursor = z.tuple([z.string().refine(isId)]);

/**
 * A page of a list that goes by id.
 *
 * @param list names it in its cursors
 * @param read answers at most so many, nearest to the cursor first, from an id on (null: from the list's end)
 * @throws PublicError BAD_CURSOR
 */
export async function pageById<Model>(
  list: string,
  page: PageRequest,
  idOf: (model: Model) => string,
  read: (atMost: number, from: string | null) => Promise<readonly Model[]>,
): Promise<Connection<Model>> {
  const cursors = cursorsOf(list, idCursor);
  const [from] = cursors.read(page.cursor) ?? [null];
  return toConnection(page, await read(page.limit + 1, from), (model) => cursors.write(idOf(model)));
}
