import { type Caller, mayActFor } from '../../platform/caller.js';
import type { Queryable } from '../../platform/postgres.js';
import { readAfterVersion, type Wait } from './read-your-writes.js';
import { isAccountId } from './rules.js';
import type { VersionWait, VersionWaits } from './version-waits.js';

/** What queries for one thing work with. */
export interface ReadDeps {
  readonly postgres: Queryable;
  readonly waits: VersionWaits;
}

/** Whether a thing of commerce may have this id. All of them follow one rule, so nothing is asked for any other. */
export const isId = isAccountId;

/**
 * One thing as its read model has it, to its owner or an admin; null where there is none, and to everybody else: nobody
 * learns what there is.
 *
 * @param find also says who owns it; null: everybody who is signed in may see it
 * @param wait until it has reached a version; see `readAfterVersion`
 * @throws what `readAfterVersion` throws
 */
export async function readOne<Model extends { readonly version: number }>(
  waits: VersionWaits,
  caller: Caller,
  of: Pick<VersionWait, 'kind' | 'id' | 'topic'>,
  find: () => Promise<{ readonly model: Model; readonly ownerId: string | null } | null>,
  wait?: Wait,
): Promise<Model | null> {
  if (!isId(of.id)) return null;
  const read = async (): Promise<Model | null> => {
    const found = await find();
    const isTheirs = found?.ownerId == null || mayActFor(caller, found.ownerId);
    return found && isTheirs ? found.model : null;
  };
  if (!wait) return read();
  return readAfterVersion(waits, { ...of, userId: caller.viewer.userId }, read, wait);
}
