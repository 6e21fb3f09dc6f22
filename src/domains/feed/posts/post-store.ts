import type { CacheLease } from '../../../platform/cache-lease.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Redis } from '../../../platform/redis.js';
import { parseJson } from '../../../platform/redis-value.js';
import type { Counts } from '../engagement/counts.js';
import type { Post } from '../types.js';
import type { AuthorStore } from './author-store.js';
import { CachedPost, type ObjectRow, postObjectShape, toObject } from './post-object.js';
import { sql } from './post-objects.sql.js';
import { createReadThrough, type Loaded } from './read-through.js';

/** Post objects live this long (feed document, Limits). */
const OBJECT_MS = 7 * 86_400_000;
/** A deleted post stays in Postgres this long (feed document, Limits), and so does its tombstone in the cache. */
const TOMBSTONE_MS = 86_400_000;
/** An id of no post is not looked up in Postgres more often than this. */
const NEGATIVE_MS = 30_000;

/** Post objects by id, for hydrating a page. The number of round trips does not depend on the number of posts. */
export interface PostStore {
  /**
   * Each of `postIds` that exists and is not deleted, with author, media and current counts, in their order; undefined for
   * the others. Whether a viewer may see them is not checked.
   *
   * @param postIds UUIDs in lower case, all different
   */
  find(postIds: readonly string[]): Promise<readonly (Post | undefined)[]>;
  /**
   * After a commit that published, edited or deleted them or changed their media: replaces what is cached by what Postgres
   * has now. A deleted post leaves a tombstone. See `CacheLease.invalidate`.
   */
  refresh(postIds: readonly string[]): Promise<void>;
}

interface Deps {
  readonly postgres: Queryable;
  readonly redis: Redis;
  readonly ids: Ids;
  readonly lease: CacheLease;
  readonly authors: AuthorStore;
  readonly counts: Pick<Counts, 'of'>;
  /** Without a slash at its end. */
  readonly cdnUrl: string;
  /** In milliseconds; absent: by the machine's own clock. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

export function createPostStore(deps: Deps): PostStore {
  const { postgres, authors, counts, cdnUrl } = deps;
  const objects = createReadThrough({
    ...deps,
    name: 'post',
    load: (postIds) => load(postgres, postIds),
    parse(body) {
      const object = parseJson(postObjectShape, body);
      return object && new CachedPost(object, cdnUrl);
    },
  });
  return {
    async find(postIds) {
      const found = await objects.read(postIds);
      const living = found.filter((post) => post !== null);
      const [authorOf, countsOf] = await Promise.all([
        authors.find(living.map(({ object }) => object.authorId)),
        counts.of(living.map(({ object }) => object.postId)),
      ]);
      const put = living.map((post, index) => {
        const author = authorOf.get(post.object.authorId);
        return author && post.with(author, countsOf[index]);
      });
      if (living.length === found.length) return put;
      let next = 0;
      return found.map((post) => (post === null ? undefined : put[next++]));
    },
    refresh: (postIds) => objects.refresh([...new Set(postIds)]),
  };
}

async function load(postgres: Queryable, postIds: readonly string[]): Promise<ReadonlyMap<string, Loaded>> {
  const { rows } = await postgres.query(sql.findObjects, [postIds]);
  const byId = new Map(rows.map((row) => [row.post_id, row]));
  return new Map(postIds.map((postId) => [postId, toLoaded(byId.get(postId))]));
}

function toLoaded(row: ObjectRow | undefined): Loaded {
  if (!row) return { version: 0, body: '', lifeMs: NEGATIVE_MS };
  if (row.is_deleted) return { version: row.version, body: '', lifeMs: TOMBSTONE_MS };
  return { version: row.version, body: JSON.stringify(toObject(row)), lifeMs: OBJECT_MS };
}
