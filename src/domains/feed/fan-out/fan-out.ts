import type { Logger } from '../../../platform/logger.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups.js';
import { type FeedCache, PUSH_BATCH } from '../cache/feed-cache.js';

const sql = loadStatements(new URL('./fan-out.sql', import.meta.url), [
  'begin',
  'next',
  'doneUpTo',
  'followers',
  'progress',
  'complete',
  'abandoned',
]);
const FOLLOWERS_A_PAGE = 1_000;
const FAN_OUTS_A_TURN = 20;
const ABANDONED_AFTER_SECONDS = 10;
const ABANDONED_AT_ONCE = 1_000;

interface Deps {
  readonly postgres: Queryable;
  readonly cache: FeedCache;
  readonly wakeUps: WakeUpPublisher;
}

/** The wake-up topic of a user's feed. */
export const feedTopic = (userId: string): string => `feed:${userId}`;

/** Notes the fan-outs of new posts; answers whose they are. Pulled and private posts have none. */
export async function beginFanOuts(tx: Queryable, postIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ author: string }>(sql.begin, [postIds]);
  return [...new Set(rows.map((row) => row.author))];
}

/** Authors whose fan-outs made no progress for a while: their worker was killed, or their job was lost. */
export async function findAbandonedFanOuts(deps: { postgres: Queryable }): Promise<string[]> {
  const { rows } = await deps.postgres.query<{ author: string }>(sql.abandoned, [
    ABANDONED_AFTER_SECONDS,
    ABANDONED_AT_ONCE,
  ]);
  return rows.map((row) => row.author);
}

/** The log position at and below which every fan-out is finished. */
export async function fanOutsDoneUpTo(deps: { postgres: Queryable }): Promise<number> {
  const { rows } = await deps.postgres.query<{ done: number | null }>(sql.doneUpTo);
  return rows[0]?.done ?? 0;
}

interface FanOut {
  readonly post_id: string;
  readonly position: number;
  readonly after_follower: number;
  readonly author: string;
}
/** Of a post that is still there. */
interface LivingFanOut extends FanOut {
  readonly author_id: number;
  readonly created_at: Date;
}

/**
 * Runs an author's unfinished fan-outs, oldest first, so that followers get his posts in order. After a few it answers
 * that there may be more: others have their turn.
 */
export async function runFanOuts(deps: Deps, author: string, logger: Logger): Promise<{ more: boolean }> {
  for (let done = 0; done < FAN_OUTS_A_TURN; done += 1) {
    const { rows } = await deps.postgres.query<FanOut & { author_id: number | null }>(sql.next, [author]);
    const work = rows[0];
    if (!work) return { more: false };
    if (isLiving(work)) await fanOut(deps, work);
    const { rows: completed } = await deps.postgres.query(sql.complete, [work.post_id]);
    if (completed[0])
      logger.info({ event: 'fanout.complete', postId: work.post_id, ...completed[0] }, 'fan-out complete');
  }
  return { more: true };
}

const isLiving = (work: FanOut & { author_id: number | null }): work is LivingFanOut =>
  work.author_id !== null;

/**
 * Pushes a post to its author's followers, page by page, and tells those who are connected. Progress is kept, so a
 * fan-out that was killed goes on where it was; what it does twice changes nothing.
 */
async function fanOut(deps: Deps, work: LivingFanOut): Promise<void> {
  const done = await fanOutsDoneUpTo(deps);
  for (let after = work.after_follower; ; ) {
    const page = await nextFollowers(deps, work.author_id, after);
    const last = page.at(-1);
    if (!last) return;
    const active = page.filter((follower) => follower.active).map((follower) => follower.user_id);
    const pushed = await pushPage(deps, work, active, done);
    after = last.follower_id;
    await deps.postgres.query(sql.progress, [work.post_id, after, page.length, pushed]);
    if (page.length < FOLLOWERS_A_PAGE) return;
  }
}

async function nextFollowers(
  deps: Deps,
  authorId: number,
  after: number,
): Promise<{ follower_id: number; user_id: string; active: boolean }[]> {
  const { rows } = await deps.postgres.query<{ follower_id: number; user_id: string; active: boolean }>(
    sql.followers,
    [authorId, after, FOLLOWERS_A_PAGE],
  );
  return rows;
}

/** Writes a page's feeds, then wakes its readers: a woken reader finds the post. */
async function pushPage(
  deps: Deps,
  work: LivingFanOut,
  userIds: readonly string[],
  done: number,
): Promise<number> {
  const place = { at: work.created_at.getTime(), postId: work.post_id };
  const payload = {
    postId: work.post_id,
    authorId: work.author,
    createdAt: work.created_at.toISOString(),
    position: work.position,
    done,
  };
  let pushed = 0;
  for (let i = 0; i < userIds.length; i += PUSH_BATCH) {
    const batch = userIds.slice(i, i + PUSH_BATCH);
    pushed += await deps.cache.push(batch, place);
    await deps.wakeUps.publish([{ topics: batch.map(feedTopic), payload }]);
  }
  return pushed;
}
