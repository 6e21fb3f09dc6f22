import type { Viewer } from '../../../platform/auth.js';
import { ok, PublicError, type Result, refused } from '../../../platform/errors.js';
import type { Ids } from '../../../platform/ids.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { isReady, KEY_PREFIX, loadScript, type Redis, runScript } from '../../../platform/redis.js';
import type { FeedCache } from '../cache/feed-cache.js';
import { BEGINNING, type PostPlace } from '../types.js';
import type { FeedCursors } from './cursors.js';
import type { ReadMarkers } from './feed-page.js';
import type { PlaceRow } from './places.js';
import { standingAt } from './standing.js';

const sql = loadStatements(new URL('./read-marker.sql', import.meta.url), ['find', 'mark', 'countAbove']);
const fillMarker = loadScript(new URL('./fill-marker.lua', import.meta.url));

/** Nobody needs to know of more. */
const MOST_NEWER = 500;
/** A change that Redis was not told of shows after this. */
const LIFE_SECONDS = 600;
const ASKING_MS = 10_000;
const NO_MARKER = '';

interface Deps {
  readonly postgres: Queryable;
  readonly redis: Redis;
  readonly ids: Ids;
  readonly cache: FeedCache;
  readonly cursors: FeedCursors;
}

export interface ReadMarkerStore extends ReadMarkers {
  /**
   * Marks the viewer's feed read down from the place of this cursor, of either order; the marker never moves back.
   * Answers where it stands. Code: BAD_CURSOR.
   */
  mark(viewer: Viewer, cursor: string): Promise<Result<string>>;
}

export function createReadMarkers(deps: Deps): ReadMarkerStore {
  const { postgres, redis, cache, cursors } = deps;
  const cursorAt = (userId: string, place: PostPlace): string =>
    cursors.write(userId, standingAt('LATEST', place));

  async function newerThan(userId: string, place: PostPlace): Promise<number> {
    const cached = await cache.countAbove(userId, place).catch(() => null);
    if (cached !== null) return cached;
    const { rows } = await postgres.query<{ count: number }>(sql.countAbove, [
      userId,
      new Date(place.at),
      place.postId,
      MOST_NEWER,
    ]);
    return rows[0]!.count;
  }

  return {
    async of(userIds) {
      const places = await findMarkers(deps, userIds);
      const markers = userIds.map(async (userId) => {
        const place = places.get(userId) ?? null;
        const newer = await newerThan(userId, place ?? BEGINNING);
        return [userId, { cursor: place && cursorAt(userId, place), newer }] as const;
      });
      return new Map(await Promise.all(markers));
    },

    async mark(viewer, cursor) {
      const { userId } = viewer;
      let place: PostPlace;
      try {
        place = cursors.read(userId, cursor).place;
      } catch (error) {
        if (!(error instanceof PublicError)) throw error;
        return refused(error.code, error.message, ['input', 'cursor']);
      }
      await postgres.query(sql.mark, [userId, new Date(place.at), place.postId]);
      const { marker, token } = keysOf(userId);
      if (isReady(redis)) await redis.del(marker, token).catch(() => undefined);
      const now = await fromPostgres(postgres, [userId]);
      return ok(cursorAt(userId, now.get(userId)!));
    },
  };
}

/** Where markers stand; who never marked anything is absent. One round trip where Redis knows them all. */
async function findMarkers(deps: Deps, userIds: readonly string[]): Promise<Map<string, PostPlace>> {
  const { postgres, redis, ids } = deps;
  if (!isReady(redis)) return fromPostgres(postgres, userIds);
  const held = await Promise.all(userIds.map((userId) => redis.get(keysOf(userId).marker))).catch(() => []);
  const unknown = userIds.filter((_, index) => held[index] == null);
  const found = new Map<string, PostPlace>();
  for (const [index, userId] of userIds.entries()) {
    if (held[index]) found.set(userId, JSON.parse(held[index]) as PostPlace);
  }
  if (unknown.length === 0) return found;
  // The token stands before Postgres is asked: a marker that moves meanwhile takes it away.
  const token = ids.next();
  await Promise.all(unknown.map((userId) => redis.set(keysOf(userId).token, token, 'PX', ASKING_MS))).catch(
    () => undefined,
  );
  const markers = await fromPostgres(postgres, unknown);
  for (const userId of unknown) {
    const marker = markers.get(userId);
    if (marker) found.set(userId, marker);
    const keys = keysOf(userId);
    const value = marker ? JSON.stringify(marker) : NO_MARKER;
    void runScript(redis, fillMarker, [keys.token, keys.marker], [token, value, LIFE_SECONDS]).catch(
      () => undefined,
    );
  }
  return found;
}

async function fromPostgres(
  postgres: Queryable,
  userIds: readonly string[],
): Promise<Map<string, PostPlace>> {
  const { rows } = await postgres.query<PlaceRow & { user_id: string }>(sql.find, [userIds]);
  return new Map(rows.map((row) => [row.user_id, { at: row.created_at.getTime(), postId: row.post_id }]));
}

function keysOf(userId: string): { marker: string; token: string } {
  const prefix = `${KEY_PREFIX}:{read-marker:${userId}}`;
  return { marker: prefix, token: `${prefix}:asking` };
}
