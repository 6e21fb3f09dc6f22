import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { parseJson } from '../../../platform/redis/redis-value.js';
import type { CacheDeps } from '../cache/deps.js';
import type { Counts } from '../engagement/counts.js';
import type { Post } from '../types.js';
import type { AuthorStore } from './author-store.js';
import type { Loaded } from './entries.js';
import { CachedPost, type PostObject, postObjectShape } from './post-object.js';
import { sql } from './post-objects.sql.js';
import { createReadThrough } from './read-through.js';

/** Post objects live this long (feed document, Limits). */
const OBJECT_MS = 7 * 86_400_000;
/** A deleted post stays in Postgres this long (feed document, Limits), and so does its tombstone in the cache. */
const TOMBSTONE_MS = 86_400_000;
/** An id of no post is not looked up in Postgres more often than this. */
const NEGATIVE_MS = 30_000;

export type PostStore = ReturnType<typeof createPostStore>;

interface Deps extends CacheDeps {
  readonly authors: AuthorStore;
  readonly counts: Pick<Counts, 'of'>;
  /** Without a slash at its end. */
  readonly cdnUrl: string;
  /** In milliseconds; absent: by the machine's own clock. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Post objects by id, for hydrating a page. The number of round trips does not depend on the number of posts. */
export function createPostStore(deps: Deps) {
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
    /**
     * Each of `postIds` that exists and is not deleted, with author, media and current counts, in their order; undefined for
     * the others. Whether a viewer may see them is not checked.
     *
     * @param postIds UUIDs in lower case, all different
     */
    async find(postIds: readonly string[]): Promise<readonly (Post | undefined)[]> {
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
    /**
     * After a commit that published, edited or deleted them or changed their media: replaces what is cached by what Postgres
     * has now. A deleted post leaves a tombstone. See `CacheLease.invalidate`.
     */
    refresh: (postIds: readonly string[]): Promise<void> => objects.refresh([...new Set(postIds)]),
  };
}

async function load(postgres: Queryable, postIds: readonly string[]): Promise<ReadonlyMap<string, Loaded>> {
  const { rows } = await postgres.query(sql.findObjects, [postIds]);
  const byId = new Map(rows.map((row) => [row.postId, row]));
  return new Map(postIds.map((postId) => [postId, toLoaded(byId.get(postId))]));
}

function toLoaded(row: RowOf<typeof sql.findObjects> | undefined): Loaded {
  if (!row) return { version: 0, body: '', lifeMs: NEGATIVE_MS };
  const { version, isDeleted, createdAt, editedAt, ...unchanged } = row;
  if (isDeleted) return { version, body: '', lifeMs: TOMBSTONE_MS };
  const times = { createdAt: createdAt.getTime(), editedAt: editedAt?.getTime() ?? null };
  const object = { ...unchanged, ...times } satisfies Record<keyof PostObject, unknown>;
  return { version, body: JSON.stringify(object), lifeMs: OBJECT_MS };
}
