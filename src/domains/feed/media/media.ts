import { validate as isUuid } from 'uuid';
import type { Viewer } from '../../../platform/auth/auth.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Media } from '../types.js';
import { sql } from './media.sql.js';

/** One derived file as the row keeps it. */
export interface StoredRendition {
  /** `150` to `1200`: an image of this width; `240p` to `1080p`: a video; `thumbnail`: a picture of a video */
  readonly name: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly key: string;
}

/** The columns of `media` that `toMedia` needs. */
export interface MediaRow {
  readonly media_id: string;
  readonly kind: Media['kind'];
  /** `receiving`: the upload is running; `removing`: its files are being removed. Readers see neither. */
  readonly state: Media['state'] | 'receiving' | 'removing';
  readonly storage_key: string;
  /** Smallest first. */
  readonly renditions: readonly StoredRendition[];
  readonly failure_reason: string | null;
}

/**
 * A row as readers get it: URLs below the CDN's, and none before everything is ready, since until then `storage_key`
 * names the upload as it came.
 *
 * @param cdnUrl without a slash at its end
 */
export function toMedia(row: MediaRow, cdnUrl: string): Media {
  const isReady = row.state === 'ready';
  return {
    mediaId: row.media_id,
    kind: row.kind,
    state: row.state === 'receiving' ? 'uploaded' : row.state === 'removing' ? 'failed' : row.state,
    url: isReady ? `${cdnUrl}/${row.storage_key}` : null,
    failureReason: row.state === 'failed' ? row.failure_reason : null,
    renditions: isReady
      ? row.renditions.map(({ name, width, height, key }) => ({
          name,
          width,
          height,
          url: `${cdnUrl}/${key}`,
        }))
      : [],
  };
}

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
