import { z } from 'zod';
import type { Viewer } from '../../../platform/auth.js';
import { PublicError } from '../../../platform/errors.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { WakeUp, WakeUpHub } from '../../../platform/wake-ups.js';
import type { FeedCache } from '../cache/feed-cache.js';
import { fanOutsDoneUpTo } from '../fan-out/fan-out.js';
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
  /** At and below this log position every fan-out was finished. */
  done: z.number(),
});
type HeardArrival = z.infer<typeof arrival>;
type Arrival = Omit<HeardArrival, 'done'>;

/**
 * Posts as they come to the viewer's feed. With `after`, everything since that cursor comes first: nothing in between
 * is missed or repeated.
 *
 * @throws PublicError BAD_CURSOR; CURSOR_EXPIRED where too much was missed to tell it piece by piece
 */
export async function* feedUpdates(
  deps: Deps & { readonly hub: WakeUpHub; readonly presence: Presence },
  viewer: Viewer,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<FeedUpdate, void> {
  const resumed = after === null ? null : deps.liveCursors.read(viewer.userId, after);
  const leave = deps.presence.arrive(viewer.userId);
  // Remembered by when the first post comes: thousands who wait for it would all ask in one instant.
  void deps.audience.expect(viewer.userId).catch(() => undefined);
  // Listen first, then look: what comes in between is heard, and known by its position.
  const listener = deps.hub.listen(feedTopic(viewer.userId));
  const close = (): void => listener.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    if (signal.aborted) return;
    const told: Told = resumed ?? { done: await fanOutsDoneUpTo(deps), seen: new Set() };
    if (resumed) yield* replay(deps, viewer, told);
    for (let heard = await listener.next(); heard; heard = await listener.next()) {
      if (heard.kind === 'missed') yield* replay(deps, viewer, told);
      else {
        const news = readArrival(heard.payload);
        advance(told, news.done);
        if (isNew(told, news) && (await isFor(deps, viewer, news.postId)))
          yield tell(deps, viewer, told, news);
      }
    }
  } finally {
    signal.removeEventListener('abort', close);
    listener.close();
    leave();
  }
}

/** Hundreds of listeners hear one and the same wake-up: it is read once for all of them. */
const arrivals = new WeakMap<WakeUp['payload'], HeardArrival>();
function readArrival(payload: WakeUp['payload']): HeardArrival {
  const known = arrivals.get(payload);
  if (known) return known;
  const read = arrival.parse(payload);
  arrivals.set(payload, read);
  return read;
}

/**
 * Tells what was missed, in log order. Below `done` everything has been published, so one number says it was told. Above
 * it a post is told once the reader's feed shows it; what is not pushed to him yet will be heard.
 */
async function* replay(deps: Deps, viewer: Viewer, told: Told): AsyncGenerator<FeedUpdate, void> {
  const done = await fanOutsDoneUpTo(deps);
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
