import { validate as isUuid } from 'uuid';
import type { Viewer } from '../../../platform/auth.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Media } from '../types.js';
import { sql } from './find.sql.js';
import { toMedia } from './media.js';

/** The media among `mediaIds` that are the viewer's own or in a post that they may see, by id in lower case. */
export async function findVisibleMedia(
  deps: { readonly postgres: Queryable; readonly cdnUrl: string },
  viewer: Viewer | null,
  mediaIds: readonly string[],
): Promise<Map<string, Media>> {
  const wellFormed = mediaIds.filter((mediaId) => isUuid(mediaId));
  if (wellFormed.length === 0) return new Map();
  const values = [wellFormed, viewer?.userId ?? null];
  const { rows } = await deps.postgres.query(sql.visible, values);
  return new Map(rows.map((row) => [row.media_id, toMedia(row, deps.cdnUrl)]));
}

/** The posts that hold one of these media: their cache entries are out of date once the media change. */
export async function findPostsHolding(
  { postgres }: { readonly postgres: Queryable },
  mediaIds: readonly string[],
): Promise<string[]> {
  const { rows } = await postgres.query(sql.holding, [mediaIds]);
  return rows.map((row) => row.post_id);
}
