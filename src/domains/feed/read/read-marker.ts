import { z } from 'zod';
import type { Viewer } from '../../../platform/auth/auth.js';
import { ok, PublicError, type Result, refused } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { parseJson } from '../../../platform/redis/redis-value.js';
import type { CacheDeps } from '../cache/deps.js';
import type { FeedCache } from '../cache/feed-cache.js';
import type { Loaded } from '../posts/entries.js';
import { createReadThrough } from '../posts/read-through.js';
import { BEGINNING, type PostPlace, placeOfRow } from '../types.js';
import type { FeedCursors } from './cursors.js';
import { cursorAt } from './feed-cursor.js';
import type { ReadMarker } from './feed-page.js';
import { sql } from './read-marker.sql.js';

/** Counted at most; clients show `500+`. */
const MOST_NEWER = 500;
/** Readers come back to their feeds within this time, or their marker is read from Postgres. */
const LIFE_MS = 600_000;
const NO_MARKER = '';
const markerShape = z.strictObject({ at: z.int(), postId: z.uuid() });

interface Deps extends CacheDeps {
  readonly cache: FeedCache;
  readonly cursors: FeedCursors;
}

/** Readers' markers: kept in Postgres, read from Redis. */
export function createReadMarkers(deps: Deps) {
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
    async of(userIds: readonly string[]): Promise<Map<string, ReadMarker>> {
      const known = await places.read([...new Set(userIds)]);
      const markers = [...new Set(userIds)].map(async (userId, index) => {
        const place = known[index]!;
        const newer = await newerThan(userId, place ?? BEGINNING);
        return [userId, { cursor: place && writeCursor(userId, place), newer }] as const;
      });
      return new Map(await Promise.all(markers));
    },

    /**
     * Marks the viewer's feed read down from the place of this cursor, of either order; the marker never moves back.
     * Answers its cursor. Code: BAD_CURSOR.
     */
    async mark({ userId }: Viewer, cursor: string): Promise<Result<string>> {
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
  return new Map(rows.map((row) => [row.user_id, placeOfRow(row)]));
}
