import { loadStatements, type Queryable } from '../../../../platform/postgres.js';
import type { Notice, NoticeType } from './notices.js';

const sql = loadStatements(new URL('./audience.sql', import.meta.url), [
  'liked',
  'commented',
  'replied',
  'shared',
  'published',
  'followed',
]);

const audiences = {
  POST_LIKED: sql.liked,
  POST_COMMENTED: sql.commented,
  COMMENT_REPLY: sql.replied,
  POST_SHARED: sql.shared,
  NEW_POST: sql.published,
  NEW_FOLLOWER: sql.followed,
} satisfies Record<NoticeType, unknown>;

interface Told {
  readonly userId: string;
  readonly variables: Readonly<Record<string, string | number | null>>;
}

/** A notice with those who are told of it: one at least. */
export interface Addressed {
  readonly notice: Notice;
  /** The same however often it is asked for: at most 64 characters. */
  readonly notificationId: string;
  readonly recipients: readonly Told[];
}

/** Whom these concern now. One statement a type; notices that concern nobody are absent. */
export async function findAudiences(
  deps: { postgres: Queryable },
  notices: readonly Notice[],
): Promise<readonly Addressed[]> {
  const byType = [...Map.groupBy(notices, (notice) => notice.type)];
  return (await Promise.all(byType.map(([type, some]) => findAudience(deps, type, some)))).flat();
}

async function findAudience(
  { postgres }: { postgres: Queryable },
  type: NoticeType,
  notices: readonly Notice[],
): Promise<readonly Addressed[]> {
  const { rows } = await postgres.query<Told & { n: number; key: string; [column: string]: unknown }>(
    audiences[type],
    [notices.map(({ actor }) => actor), notices.map(({ subject }) => subject)],
  );
  return [...Map.groupBy(rows, (row) => row.n)].map(([n, told]) => ({
    notice: notices[n - 1]!,
    notificationId: `${type}:${told[0]!.key}`,
    recipients: told.map(({ userId, variables }) => ({ userId, variables })),
  }));
}
