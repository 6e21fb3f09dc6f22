import { z } from 'zod';
import type { Viewer } from '../../../platform/auth/auth.js';
import { PublicError } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { tracer } from '../../../platform/tracing/tracing.js';
import { noteHeard } from '../../../platform/wake-ups/hearing.js';
import type { Heard, Listener, WakeUp, WakeUpHub } from '../../../platform/wake-ups/wake-ups.js';
import type { FeedCache } from '../cache/feed-cache.js';
import type { FanOutsDone } from '../fan-out/done.js';
import { feedTopic } from '../fan-out/serve.js';
import type { Audience } from './audience.js';
import { type LiveCursor, type LiveCursors, MAX_UPDATES } from './cursors.js';
import { sql } from './live.sql.js';
import type { MissedPosts } from './missed-posts.js';
import { isPassing, pauseBefore } from './passing-errors.js';
import type { Presence } from './presence.js';

interface Deps {
  readonly postgres: Queryable;
  readonly cache: FeedCache;
  readonly audience: Audience;
  readonly liveCursors: LiveCursors;
  readonly fanOutsDone: Pick<FanOutsDone, 'upTo'>;
  readonly missedPosts: MissedPosts;
}

const arrival = z.object({
  postId: z.string(),
  authorId: z.string(),
  createdAt: z.coerce.date(),
  position: z.number(),
});
type Arrival = z.infer<typeof arrival>;

/** A post has come to the reader's feed. */
export interface FeedUpdate extends Readonly<Omit<Arrival, 'position'>> {
  readonly cursor: string;
  readonly userId: string;
}

/** After this many wake-ups, and up to twice as many, Postgres is read again. */
const WAKE_UPS_BEFORE_READING = 32;

/**
 * Posts as they come to the viewer's feed. With `after`, everything since that cursor comes first: nothing in between
 * is missed or repeated. Nothing begins before the first is asked for; `return` ends it, also while one is waited for.
 *
 * What is asked for rejects with PublicError BAD_CURSOR; CURSOR_EXPIRED where too much was missed to send it post by post.
 * Once it has begun, what cannot be read while the database is overloaded or away comes later; it ends with that error after
 * about a minute.
 */
export const feedUpdates = (
  deps: LiveDeps,
  hub: WakeUpHub,
  viewer: Viewer,
  after: string | null,
): AsyncIterableIterator<FeedUpdate, void> => new FeedUpdates(deps, hub, viewer, after);

type LiveDeps = Deps & { readonly presence: Presence };

/** A class and no async generator: one is open for each of tens of thousands of readers, and may be ended while it waits. */
class FeedUpdates implements AsyncIterableIterator<FeedUpdate, void> {
  private cursor: LiveCursor | undefined = undefined;
  private listener: Listener | undefined = undefined;
  private leave: (() => void) | undefined = undefined;
  /** What was missed, until all of it is sent. */
  private replaying: AsyncIterator<FeedUpdate, void> | undefined = undefined;
  /** A wake-up that is looked at once that is done. */
  private arrived: Arrival | undefined = undefined;
  private readAt = 0;
  private ended = false;
  /** Reads in a row that failed since the database, or what stands for it, was overloaded or away. */
  private failures = 0;
  private failingSince = 0;
  /** Only while it waits to read again. */
  private pausing: AbortController | undefined = undefined;
  // Each after another number: thousands are woken by the same posts.
  private readonly step = WAKE_UPS_BEFORE_READING * (1 + Math.random());

  constructor(
    private readonly deps: LiveDeps,
    private readonly hub: WakeUpHub,
    private readonly viewer: Viewer,
    private after: string | null,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** While it waits for a wake-up this is the only call that is open: there is one for each reader. */
  async next(): Promise<IteratorResult<FeedUpdate, void>> {
    try {
      if (!this.ended) this.cursor ??= await this.begin();
      const { cursor } = this;
      while (cursor && !this.ended) {
        try {
          const value = await this.found(cursor);
          this.failures = 0;
          if (value) return { done: false, value };
        } catch (error) {
          await this.readLater(cursor, error);
          continue;
        }
        const wakeUp = await this.listener?.next();
        if (!wakeUp) break;
        this.hear(cursor, wakeUp);
      }
    } catch (error) {
      this.end();
      throw error;
    }
    this.end();
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<FeedUpdate, void>> {
    this.end();
    return { done: true, value: undefined };
  }

  private end(): void {
    this.ended = true;
    this.pausing?.abort();
    this.listener?.close();
    this.leave?.();
    this.listener = undefined;
    this.leave = undefined;
    this.replaying = undefined;
  }

  /** The next of those that were missed or have arrived; undefined where a wake-up is to be waited for. */
  private async found(cursor: LiveCursor): Promise<FeedUpdate | undefined> {
    const { deps, viewer } = this;
    const missed = await this.replaying?.next();
    if (missed && !missed.done) return missed.value;
    if (missed) {
      this.replaying = undefined;
      this.readAt = cursor.seen.size + this.step;
    }
    const { arrived } = this;
    this.arrived = undefined;
    if (!arrived || !isNew(cursor, arrived) || !(await isFor(deps, viewer, arrived.postId))) return undefined;
    return updateOf(deps, viewer, cursor, arrived);
  }

  private async begin(): Promise<LiveCursor> {
    const { deps, hub, viewer, after } = this;
    const cursor: LiveCursor =
      after === null
        ? { done: await deps.fanOutsDone.upTo(), seen: new Set() }
        : deps.liveCursors.read(viewer.userId, after);
    this.after = null;
    if (this.ended) return cursor;
    this.leave = deps.presence.arrive(viewer.userId);
    // Cached before the first post comes: thousands of subscribers would all read in one instant.
    void deps.audience.expect(viewer.userId).catch(() => undefined);
    // Subscribe first, then read: what comes in between wakes, and is known by its position.
    const listener = await hub.listen(feedTopic(viewer.userId));
    if (this.ended) listener.close();
    else this.listener = listener;
    this.replaying = replay(deps, viewer, cursor);
    return cursor;
  }

  /** What could not be read, or sent, is read again after a pause: the cursor has not passed it. */
  private async readLater(cursor: LiveCursor, error: unknown): Promise<void> {
    this.replaying = undefined;
    if (this.failures === 0) this.failingSince = performance.now();
    this.failures += 1;
    if (this.ended) return;
    if (!isPassing(error, performance.now() - this.failingSince)) throw error;
    this.pausing = new AbortController();
    await pauseBefore(this.failures, this.pausing.signal);
    this.pausing = undefined;
    if (this.ended) return;
    this.replaying = replay(this.deps, this.viewer, cursor);
  }

  private hear(cursor: LiveCursor, wakeUp: Heard): void {
    this.arrived = wakeUp.kind === 'woken' ? readArrival(wakeUp.payload) : undefined;
    // `done` moves by Postgres alone: an earlier wake-up may have been lost.
    if (this.arrived === undefined || cursor.seen.size >= this.readAt)
      this.replaying = replay(this.deps, this.viewer, cursor);
  }
}

/**
 * A cursor of the viewer's updates as of now. With it as `after`, `feedUpdates` misses no post that a page which is read
 * afterwards does not show. A post whose fan-out is not finished may be both on the page and among the updates.
 */
export const startOfUpdates = async (
  deps: Pick<Deps, 'fanOutsDone' | 'liveCursors'>,
  viewerId: string,
): Promise<string> =>
  deps.liveCursors.write(viewerId, { done: await deps.fanOutsDone.upTo(), seen: new Set() });

/** Hundreds of subscriptions get the same wake-up: it is parsed once for all of them. */
const arrivals = new WeakMap<WakeUp['payload'], Arrival>();
function readArrival(payload: WakeUp['payload']): Arrival | undefined {
  const known = arrivals.get(payload);
  if (known) return known;
  const read = arrival.safeParse(payload);
  if (read.success) arrivals.set(payload, read.data);
  return read.data;
}

/**
 * What was missed, in log order. At and below `done` every fan-out is finished, so one number covers it. Above it a post
 * comes once the reader's feed shows it; a post that is not pushed to them yet will wake the subscription.
 */
async function* replay(deps: Deps, viewer: Viewer, cursor: LiveCursor): AsyncGenerator<FeedUpdate, void> {
  const done = await deps.fanOutsDone.upTo();
  const rows = await deps.missedPosts.since(viewer.userId, cursor);
  if (rows.length > MAX_UPDATES) throw expired();
  const isShown = await findShown(
    deps,
    viewer,
    rows.filter(({ position }) => position > done),
  );
  const visible = await deps.audience.among(
    viewer.userId,
    rows.map(({ postId }) => postId),
  );
  const traces = await tracesOf(deps.postgres, rows);
  for (const missed of rows) {
    if ((missed.position > done && !isShown(missed)) || !visible.has(missed.postId)) continue;
    advance(cursor, Math.min(missed.position, done));
    noteHeard(traces.get(missed.position));
    yield updateOf(deps, viewer, cursor, missed);
  }
  advance(cursor, done);
}

/** What is read instead of a lost wake-up goes on with the trace of its event. It is sent without one, too. */
async function tracesOf(
  postgres: Queryable,
  missed: readonly Arrival[],
): Promise<ReadonlyMap<number, string>> {
  if (missed.length === 0 || !tracer()) return new Map();
  const positions = missed.map(({ position }) => position);
  const found = await postgres.query(sql.tracesOf, [positions]).catch(() => undefined);
  return new Map(found?.rows.map(({ position, traceparent }) => [position, traceparent]));
}

/** A cold feed is read from Postgres, which has every post; so is a feed whose cache cannot be read. */
async function findShown(
  deps: Deps,
  viewer: Viewer,
  missed: readonly Arrival[],
): Promise<(one: Arrival) => boolean> {
  if (missed.length === 0) return () => true;
  const postIds = missed.map(({ postId }) => postId);
  const cached = await deps.cache.holds(viewer.userId, postIds).catch(() => null);
  return ({ postId }) => cached === null || cached.has(postId);
}

const expired = (): PublicError =>
  new PublicError('CURSOR_EXPIRED', 'Too much has come since: read the feed anew');

const isNew = (cursor: LiveCursor, { position }: Arrival): boolean =>
  position > cursor.done && !cursor.seen.has(position);

/** An unfollow, a mute, a block or a delete may race a fan-out: only what the feed would show now is sent. */
const isFor = async (deps: Deps, viewer: Viewer, postId: string): Promise<boolean> =>
  (await deps.audience.among(viewer.userId, [postId])).has(postId);

function advance(cursor: LiveCursor, done: number): void {
  if (done <= cursor.done) return;
  cursor.done = done;
  for (const position of cursor.seen) if (position <= done) cursor.seen.delete(position);
}

function updateOf(deps: Deps, viewer: Viewer, cursor: LiveCursor, arrived: Arrival): FeedUpdate {
  if (arrived.position > cursor.done) cursor.seen.add(arrived.position);
  if (cursor.seen.size > MAX_UPDATES) throw expired();
  return {
    cursor: deps.liveCursors.write(viewer.userId, cursor),
    userId: viewer.userId,
    postId: arrived.postId,
    authorId: arrived.authorId,
    createdAt: arrived.createdAt,
  };
}
