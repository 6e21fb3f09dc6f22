import { z } from 'zod';
import type { Viewer } from '../../../platform/auth.js';
import { PublicError } from '../../../platform/errors.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { WakeUp, WakeUpHub } from '../../../platform/wake-ups.js';
import type { FeedCache } from '../cache/feed-cache.js';
import type { FanOutsDone } from '../fan-out/done.js';
import { feedTopic } from '../fan-out/serve.js';
import type { Audience } from './audience.js';
import { type LiveCursors, MAX_TOLD, type Told } from './cursors.js';
import type { Presence } from './presence.js';

const sql = loadStatements(new URL('./live.sql', import.meta.url), ['missed']);

/** A post has come to the reader's feed. */
export interface FeedUpdate {
  readonly cursor: string;
  readonly userId: string;
  readonly postId: string;
  readonly authorId: string;
  readonly createdAt: Date;
}

interface Deps {
  readonly postgres: Queryable;
  readonly cache: FeedCache;
  readonly audience: Audience;
  readonly liveCursors: LiveCursors;
  readonly fanOutsDone: Pick<FanOutsDone, 'upTo'>;
}

interface MissedRow {
  readonly post_id: string;
  readonly author: string;
  readonly created_at: Date;
  readonly position: number;
}

const arrival = z.object({
  postId: z.string(),
  authorId: z.string(),
  createdAt: z.coerce.date(),
  position: z.number(),
});
type Arrival = z.infer<typeof arrival>;

/** After so many posts that were only heard of, and up to twice as many, the source is read again. */
const HEARD_BEFORE_READING = 32;

/**
 * Posts as they come to the viewer's feed. With `after`, everything since that cursor comes first: nothing in between
 * is missed or repeated.
 *
 * @throws PublicError BAD_CURSOR; CURSOR_EXPIRED where too much was missed to tell it piece by piece
 */
export async function* feedUpdates(
  deps: Deps & { readonly presence: Presence },
  hub: WakeUpHub,
  viewer: Viewer,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<FeedUpdate, void> {
  const resumed = after === null ? null : deps.liveCursors.read(viewer.userId, after);
  const leave = deps.presence.arrive(viewer.userId);
  // Remembered by when the first post comes: thousands who wait for it would all ask in one instant.
  void deps.audience.expect(viewer.userId).catch(() => undefined);
  // Listen first, then look: what comes in between is heard, and known by its position.
  const listener = await hub.listen(feedTopic(viewer.userId));
  const close = (): void => listener.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    if (signal.aborted) return;
    const told: Told = resumed ?? { done: await deps.fanOutsDone.upTo(), seen: new Set() };
    // Each at another moment: thousands hear of the same posts.
    const step = HEARD_BEFORE_READING * (1 + Math.random());
    if (resumed) yield* replay(deps, viewer, told);
    let readAt = told.seen.size + step;
    for (let heard = await listener.next(); heard; heard = await listener.next()) {
      const news = heard.kind === 'woken' ? readArrival(heard.payload) : undefined;
      // `done` moves by what Postgres says alone: a wake-up may have been lost before the one that is heard.
      if (news === undefined || told.seen.size >= readAt) {
        yield* replay(deps, viewer, told);
        readAt = told.seen.size + step;
      }
      if (news && isNew(told, news) && (await isFor(deps, viewer, news.postId)))
        yield tell(deps, viewer, told, news);
    }
  } finally {
    signal.removeEventListener('abort', close);
    listener.close();
    leave();
  }
}

/**
 * Where updates of the viewer's feed stand now. Of what a page that is read afterwards does not show, `feedUpdates` misses
 * nothing with this cursor as `after`. A post whose fan-out is not finished may be both on the page and among the updates.
 */
export const startOfUpdates = async (
  deps: Pick<Deps, 'fanOutsDone' | 'liveCursors'>,
  viewerId: string,
): Promise<string> =>
  deps.liveCursors.write(viewerId, { done: await deps.fanOutsDone.upTo(), seen: new Set() });

/** Hundreds of listeners hear one and the same wake-up: it is read once for all of them. */
const arrivals = new WeakMap<WakeUp['payload'], Arrival>();
function readArrival(payload: WakeUp['payload']): Arrival | undefined {
  const known = arrivals.get(payload);
  if (known) return known;
  const read = arrival.safeParse(payload);
  if (read.success) arrivals.set(payload, read.data);
  return read.data;
}

/**
 * Tells what was missed, in log order. Below `done` everything has been published, so one number says it was told. Above
 * it a post is told once the reader's feed shows it; what is not pushed to him yet will be heard.
 */
async function* replay(deps: Deps, viewer: Viewer, told: Told): AsyncGenerator<FeedUpdate, void> {
  const done = await deps.fanOutsDone.upTo();
  const { rows } = await deps.postgres.query<MissedRow>(sql.missed, [
    viewer.userId,
    told.done,
    [...told.seen],
    MAX_TOLD + 1,
  ]);
  if (rows.length > MAX_TOLD) throw tooMuch();
  const isShown = await findShown(
    deps,
    viewer,
    rows.filter((row) => row.position > done),
  );
  const audible = await deps.audience.among(
    viewer.userId,
    rows.map((row) => row.post_id),
  );
  for (const row of rows) {
    if ((row.position > done && !isShown(row)) || !audible.has(row.post_id)) continue;
    advance(told, Math.min(row.position, done));
    yield tell(deps, viewer, told, {
      postId: row.post_id,
      authorId: row.author,
      createdAt: row.created_at,
      position: row.position,
    });
  }
  advance(told, done);
}

/** A cold feed is read from Postgres, which has every post; so is a feed whose cache cannot be asked. */
async function findShown(
  deps: Deps,
  viewer: Viewer,
  rows: readonly MissedRow[],
): Promise<(row: MissedRow) => boolean> {
  if (rows.length === 0) return () => true;
  const postIds = rows.map((row) => row.post_id);
  const held = await deps.cache.holds(viewer.userId, postIds).catch(() => null);
  return (row) => held === null || held.has(row.post_id);
}

const tooMuch = (): PublicError =>
  new PublicError('CURSOR_EXPIRED', 'Too much has come since: read the feed anew');

const isNew = (told: Told, news: Arrival): boolean =>
  news.position > told.done && !told.seen.has(news.position);

/** An unfollow, a mute, a block or a delete may race a fan-out: it is told only what the feed would show now. */
const isFor = async (deps: Deps, viewer: Viewer, postId: string): Promise<boolean> =>
  (await deps.audience.among(viewer.userId, [postId])).has(postId);

function advance(told: Told, done: number): void {
  if (done <= told.done) return;
  told.done = done;
  for (const position of told.seen) if (position <= done) told.seen.delete(position);
}

function tell(deps: Deps, viewer: Viewer, told: Told, news: Arrival): FeedUpdate {
  if (news.position > told.done) told.seen.add(news.position);
  if (told.seen.size > MAX_TOLD) throw tooMuch();
  return {
    cursor: deps.liveCursors.write(viewer.userId, told),
    userId: viewer.userId,
    postId: news.postId,
    authorId: news.authorId,
    createdAt: news.createdAt,
  };
}
