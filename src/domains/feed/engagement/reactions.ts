import type { Viewer } from '../../../platform/auth/auth.js';
import { type Connection, type PageRequest, toConnection } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { userCursors } from '../list-cursors.js';
import type { ReactionKind, User } from '../types.js';
import { sql } from './reactions.sql.js';

const pages = {
  any: { forward: sql.page, backward: sql.pageBack },
  one: { forward: sql.pageOfKind, backward: sql.pageOfKindBack },
};

/** Who reacted, and how. */
export interface Reaction {
  readonly user: User;
  readonly kind: ReactionKind;
  readonly reactedAt: Date;
}

/** The viewer's own reaction to each of these posts; absent where there is none. */
export async function findViewerReactions(
  deps: { postgres: Queryable },
  viewer: Viewer,
  postIds: readonly string[],
): Promise<Map<string, ReactionKind>> {
  const { rows } = await deps.postgres.query(sql.ofViewer, [postIds, viewer.userId]);
  return new Map(rows.map((row) => [row.postId, row.kind]));
}

const cursors = userCursors('reactions');

/**
 * Who reacted to each of these posts, which the viewer may see: the newest first. Users who are blocked either way are
 * left out, though they count. One statement for all of them.
 *
 * @param kind null: any
 * @throws PublicError BAD_CURSOR
 */
export async function pageReactions(
  deps: { postgres: Queryable },
  viewer: Viewer | null,
  postIds: readonly string[],
  kind: ReactionKind | null,
  page: PageRequest,
): Promise<Connection<Reaction>[]> {
  const { rows } = await deps.postgres.query(pages[kind ? 'one' : 'any'][page.direction], [
    postIds,
    viewer?.userId ?? null,
    ...cursors.startOf(page),
    page.limit + 1,
    ...(kind ? [kind] : []),
  ]);
  const byPost = Map.groupBy(rows, (row) => row.of);
  return postIds.map((postId) => {
    const reactions = (byPost.get(postId) ?? []).map(({ of, kind: done, reactedAt, ...user }) => ({
      user,
      kind: done,
      reactedAt,
    }));
    return toConnection(page, reactions, ({ reactedAt, user }) => cursors.write(reactedAt, user.id));
  });
}
