import { z } from 'zod';
import type { Viewer } from '../../../platform/auth.js';
import type { CacheLease } from '../../../platform/cache-lease.js';
import { ok, PublicError, type Result, refused } from '../../../platform/errors.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Redis } from '../../../platform/redis.js';
import { parseJson } from '../../../platform/redis-value.js';
import type { FeedCache } from '../cache/feed-cache.js';
import { createReadThrough, type Loaded } from '../posts/read-through.js';
import { BEGINNING, type PostPlace } from '../types.js';
import type { FeedCursors } from './cursors.js';
import { cursorAt } from './feed-cursor.js';
import type { ReadMarkers } from './feed-page.js';
import { sql } from './read-marker.sql.js';

/** Counted at most; clients show `500+`. */
const MOST_NEWER = 500;
/** Readers come back to their feeds within this time, or their marker is read from Postgres. */
const LIFE_MS = 600_000;
const NO_MARKER = '';
const markerShape = z.strictObject({ at: z.int(), postId: z.uuid() });

interface Deps {
  readonly postgres: Queryable;
  readonly redis: Redis;
  readonly lease: CacheLease;
  readonly ids: Ids;
  readonly cache: FeedCache;
  readonly cursors: FeedCursors;
}

export interface ReadMarkerStore extends ReadMarkers {
  /**
   * Marks the viewer's feed read down from the place of this cursor, of either order; the marker never moves back.
   * Answers its cursor. Code: BAD_CURSOR.
   */
  mark(viewer: Viewer, cursor: string): Promise<Result<string>>;
}

export function createReadMarkers(deps: Deps): ReadMarkerStore {
  const { postgres, cache, cursors } = deps;
  const places = createReadThrough({
    ...deps,
    name: 'read-marker',
    load: (userIds) => load(postgres, userIds),
    parse: (body) => parseJson(markerShape, body),
  });
  const writeCursor = (userId: string, place: PostPlace): string =>
    cursors.write(userId, cursorAt('LATEST', place));

  async function newerThan(userId: string, place: PostPlace): Promise<number> {
    const cached = await cache.countAbove(userId, place).catch(() => null);
    if (cached !== null) return cached;
    const { rows } = await postgres.query(sql.countAbove, [
      userId,
      new Date(place.at),
      place.postId,
      MOST_NEWER,
    ]);
    return rows[0]!.count;
  }

  return {
    async of(userIds) {
      const known = await places.read([...new Set(userIds)]);
      const markers = [...new Set(userIds)].map(async (userId, index) => {
        const place = known[index]!;
        const newer = await newerThan(userId, place ?? BEGINNING);
        return [userId, { cursor: place && writeCursor(userId, place), newer }] as const;
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
      await places.forget([userId]);
      const now = await fromPostgres(postgres, [userId]);
      return ok(writeCursor(userId, now.get(userId)!));
    },
  };
}

async function load(postgres: Queryable, userIds: readonly string[]): Promise<Map<string, Loaded>> {
  const markers = await fromPostgres(postgres, userIds);
  const bodyOf = (userId: string): string => {
    const place = markers.get(userId);
    return place ? JSON.stringify(place) : NO_MARKER;
  };
  return new Map(userIds.map((userId) => [userId, { version: 0, body: bodyOf(userId), lifeMs: LIFE_MS }]));
}

/** The markers' places; readers who never marked anything are absent. */
async function fromPostgres(
  postgres: Queryable,
  userIds: readonly string[],
): Promise<Map<string, PostPlace>> {
  const { rows } = await postgres.query(sql.find, [userIds]);
  return new Map(rows.map((row) => [row.user_id, { at: row.created_at.getTime(), postId: row.post_id }]));
}
