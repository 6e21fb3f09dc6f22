import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logger.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups.js';
import type { FeedCache } from '../cache/feed-cache.js';
import type { Presence } from '../live/presence.js';
import type { FanOutsDone } from './done.js';
import { sql } from './fan-out.sql.js';
import type { FanOutMetrics } from './fan-out-metrics.js';
import { type FollowersPage, pagesOfFollowers } from './followers.js';
import { createProgress } from './progress.js';
import { serve } from './serve.js';

const FAN_OUTS_A_TURN = 20;
/** Pages whose feeds are written at the same time. */
const PAGES_AT_ONCE = 3;
const DAY_MS = 86_400_000;
/** A user's last visit is written every quarter of an hour: a feed may have been read a little later. */
const LAST_SEEN_SLACK_MS = 3_600_000;

interface Deps {
  readonly postgres: Queryable;
  readonly cache: FeedCache;
  readonly wakeUps: WakeUpPublisher;
  readonly presence: Presence;
  readonly clock: Clock;
  readonly fanOutMetrics: FanOutMetrics;
  readonly fanOutsDone: Pick<FanOutsDone, 'upTo'>;
  readonly config: {
    /** Users who were away for longer are skipped: no fewer than a feed lives, since a warm feed must have no gaps. */
    readonly inactiveDays: number;
  };
}

/** Writes the fan-outs of new posts, and answers them. Pulled and private posts have none. */
export async function beginFanOuts(
  tx: Queryable,
  postIds: readonly string[],
): Promise<readonly { readonly postId: string; readonly authorId: string }[]> {
  return (await tx.query(sql.begin, [postIds])).rows;
}

interface FanOut {
  readonly post_id: string;
  readonly position: number;
  /** Connected followers have it. */
  readonly online_done: boolean;
  readonly after_follower: number;
  readonly author: string;
}
/** Of a post that exists. */
interface LiveFanOut extends FanOut {
  readonly author_id: number;
  readonly created_at: Date;
}

/**
 * Runs an author's unfinished fan-outs, oldest first, so that followers get their posts in order. After a few it answers
 * that there may be more, so that other authors' jobs run too.
 */
export async function runFanOuts(deps: Deps, author: string, logger: Logger): Promise<{ more: boolean }> {
  for (let done = 0; done < FAN_OUTS_A_TURN; done += 1) {
    const { rows } = await deps.postgres.query(sql.next, [author]);
    const work = rows[0];
    if (!work) return { more: false };
    if (isLive(work)) await fanOut(deps, work);
    await complete(deps, work, logger);
  }
  return { more: true };
}

const isLive = (work: FanOut & { author_id: number | null; created_at: Date | null }): work is LiveFanOut =>
  work.author_id !== null && work.created_at !== null;

/** The document's `fanout.complete`: once for each fan-out, however often it ran. */
async function complete(deps: Deps, work: FanOut, logger: Logger): Promise<void> {
  const { rows } = await deps.postgres.query(sql.complete, [work.post_id]);
  if (!rows[0]) return;
  deps.fanOutMetrics.completed(rows[0]);
  logger.info({ event: 'fanout.complete', postId: work.post_id, ...rows[0] }, 'fan-out complete');
}

/**
 * Pushes a post to its author's followers: connected ones first, then all, page by page. Progress is kept, so a fan-out
 * that was killed goes on where it was; repeating a page changes nothing. A user who follows after the list was read has a
 * cold feed, which is read from Postgres.
 */
async function fanOut(deps: Deps, work: LiveFanOut): Promise<void> {
  const done = await deps.fanOutsDone.upTo();
  const early = work.online_done ? undefined : await serveOnline(deps, work, done);
  const served = early?.served ?? NONE;
  const progress = createProgress(deps.postgres, work.post_id, early?.pushed ?? 0);
  const servePage = async (page: FollowersPage) => ({
    page,
    pushed: await serve(deps, work, await findDue(deps, page, served), done),
  });
  const underWay: ReturnType<typeof servePage>[] = [];
  const noteFirst = async (): Promise<void> => progress.note(await underWay.shift()!);
  for await (const page of early?.list ?? followersOf(deps, work)) {
    const serving = servePage(page);
    serving.catch(() => undefined);
    underWay.push(serving);
    if (underWay.length === PAGES_AT_ONCE) await noteFirst();
  }
  while (underWay.length > 0) await noteFirst();
  await progress.settle();
}

const followersOf = (deps: Deps, work: LiveFanOut) =>
  pagesOfFollowers(
    deps,
    work.author_id,
    work.after_follower,
    new Date(deps.clock.now() - deps.config.inactiveDays * DAY_MS - LAST_SEEN_SLACK_MS),
  );

const NONE: ReadonlySet<string> = new Set();

interface ServedEarly {
  /** All followers there are. */
  readonly list: readonly FollowersPage[];
  readonly served: ReadonlySet<string>;
  readonly pushed: number;
}

/** Connected followers get it first, while a long list of followers is still being read. */
async function serveOnline(deps: Deps, work: LiveFanOut, done: number): Promise<ServedEarly> {
  const serveThose = async (page: FollowersPage) => {
    const online = [...(await deps.presence.among(page.userIds))];
    return { online, pushed: await serve(deps, work, online, done) };
  };
  const list: FollowersPage[] = [];
  const underWay: ReturnType<typeof serveThose>[] = [];
  for await (const page of followersOf(deps, work)) {
    list.push(page);
    const serving = serveThose(page);
    serving.catch(() => undefined);
    underWay.push(serving);
  }
  const parts = await Promise.all(underWay);
  const served = new Set(parts.flatMap(({ online }) => online));
  if (served.size > 0) await deps.postgres.query(sql.onlineDone, [work.post_id]);
  return { list, served, pushed: parts.reduce((sum, { pushed }) => sum + pushed, 0) };
}

/** Followers who may have a warm feed or are connected, and were not served yet. */
async function findDue(
  deps: Deps,
  { userIds, isActive }: FollowersPage,
  served: ReadonlySet<string>,
): Promise<string[]> {
  const online = await deps.presence.among(userIds.filter((_, index) => !isActive[index]));
  return userIds.filter((userId, index) => (isActive[index] || online.has(userId)) && !served.has(userId));
}
