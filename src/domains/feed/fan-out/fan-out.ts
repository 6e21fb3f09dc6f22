import { Counter, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { inSpan, tracer } from '../../../platform/tracing/tracing.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import type { AuthorTimelines } from '../cache/author-timelines.js';
import type { FeedCache } from '../cache/feed-cache.js';
import type { Presence } from '../live/presence.js';
import { placeOfRow } from '../types.js';
import type { FanOutsDone } from './done.js';
import { sql } from './fan-out.sql.js';
import { type FollowersPage, followersAmong, pagesOfFollowers } from './followers.js';
import { columnsOf, createProgress, type Reached } from './progress.js';
import { serve } from './serve.js';

const FAN_OUTS_A_TURN = 20;
/** Pages whose feeds are written at the same time: Redis always has one that is next. */
const PAGES_AT_ONCE = 4;
/** As long as no more users are online, those who follow are asked for; else the list of followers is read first. */
const ONLINE_ASKED_FOR = 2_000;
const DAY_MS = 86_400_000;
/** A user's last visit is written every quarter of an hour: a feed may have been read a little later. */
const LAST_SEEN_SLACK_MS = 3_600_000;

interface Deps {
  readonly postgres: Queryable;
  readonly cache: FeedCache;
  readonly wakeUps: WakeUpPublisher;
  readonly presence: Presence;
  readonly clock: Clock;
  readonly fanOutMetrics: ReturnType<typeof createFanOutMetrics>;
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

/**
 * Writes new posts to the sets of their authors: each into its author's own feed, and a pulled one into the author timeline
 * too. Doing it again changes nothing.
 */
export async function placePublished(
  deps: Pick<Deps, 'postgres' | 'cache'> & { readonly authorTimelines: AuthorTimelines },
  postIds: readonly string[],
): Promise<void> {
  const { rows } = await deps.postgres.query(sql.published, [postIds]);
  await Promise.all(
    rows.flatMap((row) => {
      const place = placeOfRow(row);
      const own = deps.cache.place(row.author, place);
      return row.is_pulled ? [own, deps.authorTimelines.place(row.author, place)] : [own];
    }),
  );
}

type FanOut = RowOf<typeof sql.next>;
/** Of a post that exists. */
type LiveFanOut = FanOut & { readonly author_id: number; readonly created_at: Date };

/**
 * Runs an author's unfinished fan-outs, oldest first, so that followers get their posts in order. After a few it answers
 * that there may be more, so that other authors' jobs run too.
 */
export async function runFanOuts(deps: Deps, author: string, logger: Logger): Promise<{ more: boolean }> {
  for (let done = 0; done < FAN_OUTS_A_TURN; done += 1) {
    const { rows } = await deps.postgres.query(sql.next, [author]);
    const work = rows[0];
    if (!work || !(await finish(deps, work, logger))) return { more: false };
  }
  return { more: true };
}

/**
 * In the trace of its post, where that is found: a job runs those of several posts. Answers whether its author may have other
 * unfinished fan-outs.
 */
async function finish(deps: Deps, work: FanOut, logger: Logger): Promise<boolean> {
  const using = tracer();
  if (!using) return run();
  const found = await deps.postgres.query(sql.traceOf, [work.post_id]).catch(() => undefined);
  return inSpan(using, { name: 'fan out post', parent: found?.rows[0]?.traceparent ?? null }, run);

  async function run(): Promise<boolean> {
    return complete(deps, work, isLive(work) ? await fanOut(deps, work) : work, logger);
  }
}

const isLive = (work: FanOut): work is LiveFanOut => work.author_id !== null && work.created_at !== null;

/** The document's `fanout.complete`: once for each fan-out, however often it ran. Answers as `finish` does. */
async function complete(deps: Deps, work: FanOut, reached: Reached, logger: Logger): Promise<boolean> {
  const { rows } = await deps.postgres.query(sql.complete, [work.post_id, ...columnsOf(reached)]);
  if (!rows[0]) return true;
  const { more, ...completed } = rows[0];
  deps.fanOutMetrics.completed(completed);
  logger.info({ event: 'fanout.complete', postId: work.post_id, ...completed }, 'fan-out complete');
  return more;
}

/**
 * Pushes a post to its author's followers: connected ones first, then all, page by page. Progress is kept, so a fan-out
 * that was killed goes on where it was; repeating a page changes nothing. A user who follows after the list was read has a
 * cold feed, which is read from Postgres.
 *
 * @returns how far it came, which the statement that completes the fan-out writes
 */
async function fanOut(deps: Deps, work: LiveFanOut): Promise<Reached> {
  const done = deps.fanOutsDone.upTo();
  // The first page that is served rejects with it.
  done.catch(() => undefined);
  const pages = followersOf(deps, work);
  const early = work.online_done ? undefined : await serveOnline(deps, work, pages, done);
  const served = early?.served ?? NONE;
  const pushed = work.pushed + (early?.pushed ?? 0);
  const progress = createProgress(deps.postgres, work.post_id, { ...work, pushed });
  const servePage = async (page: FollowersPage) => ({
    page,
    pushed: await serve(deps, work, await findDue(deps, page, served), done),
  });
  const underWay: ReturnType<typeof servePage>[] = [];
  const noteFirst = async (): Promise<void> => progress.note(await underWay.shift()!);
  for await (const page of early?.list ?? pages) {
    const serving = servePage(page);
    serving.catch(() => undefined);
    underWay.push(serving);
    if (underWay.length === PAGES_AT_ONCE) await noteFirst();
  }
  while (underWay.length > 1) await noteFirst();
  return progress.end(await underWay.shift());
}

const followersOf = (deps: Deps, work: LiveFanOut) =>
  pagesOfFollowers(
    deps,
    work.author_id,
    work.after_follower,
    new Date(deps.clock.now() - deps.config.inactiveDays * DAY_MS - LAST_SEEN_SLACK_MS),
  );

const NONE: ReadonlySet<string> = new Set();

/** Who was served before the others, and all followers where they were read for that. */
interface Early {
  readonly served: ReadonlySet<string>;
  readonly pushed: number;
  readonly list?: readonly FollowersPage[];
}

/** Connected followers get it first. */
async function serveOnline(
  deps: Deps,
  work: LiveFanOut,
  pages: AsyncIterable<FollowersPage>,
  done: Promise<number>,
): Promise<Early> {
  const online = await deps.presence.all(ONLINE_ASKED_FOR);
  const early = online
    ? await serveAsked(deps, work, online, done)
    : await serveWhileListing(deps, work, pages, done);
  if (early.served.size > 0) await deps.postgres.query(sql.onlineDone, [work.post_id]);
  return early;
}

async function serveAsked(
  deps: Deps,
  work: LiveFanOut,
  online: readonly string[],
  done: Promise<number>,
): Promise<Early> {
  const followers = await followersAmong(deps, work.author_id, work.after_follower, online);
  return { served: new Set(followers), pushed: await serve(deps, work, followers, done) };
}

/** Those of each page, while a long list of followers is still being read. */
async function serveWhileListing(
  deps: Deps,
  work: LiveFanOut,
  pages: AsyncIterable<FollowersPage>,
  done: Promise<number>,
): Promise<Early> {
  const serveThose = async (page: FollowersPage) => {
    const online = [...(await deps.presence.among(page.userIds))];
    return { online, pushed: await serve(deps, work, online, done) };
  };
  const list: FollowersPage[] = [];
  const underWay: ReturnType<typeof serveThose>[] = [];
  for await (const page of pages) {
    list.push(page);
    const serving = serveThose(page);
    serving.catch(() => undefined);
    underWay.push(serving);
  }
  const parts = await Promise.all(underWay);
  const served = new Set(parts.flatMap(({ online }) => online));
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

/** What monitoring sees of `fanout.complete` (feed document, Events). */
export function createFanOutMetrics(registry: Registry) {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'feed_fan_out_seconds',
    help: 'From the noted fan-out of a post to the last feed',
    buckets: [0.05, 0.1, 0.3, 1, 3, 5, 10, 30, 100],
    registers,
  });
  const followers = new Counter({
    name: 'feed_fan_out_followers_total',
    help: 'Followers whom finished fan-outs came to',
    labelNames: ['feed'],
    registers,
  });
  return {
    completed(fanOut: Omit<RowOf<typeof sql.complete>, 'more'>): void {
      seconds.observe(fanOut.seconds);
      followers.inc({ feed: 'warm' }, fanOut.pushed);
      followers.inc({ feed: 'cold' }, fanOut.followers - fanOut.pushed);
    },
  };
}
