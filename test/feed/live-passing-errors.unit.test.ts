import { expect, it } from 'vitest';
import { createLiveCursors } from '../../src/domains/feed/live/cursors.js';
import { feedUpdates } from '../../src/domains/feed/live/live.js';
import type { Missed } from '../../src/domains/feed/live/missed-posts.js';
import { isPassing } from '../../src/domains/feed/live/passing-errors.js';
import { PublicError } from '../../src/platform/errors.js';
import type { Heard } from '../../src/platform/wake-ups/wake-ups.js';

const overloaded = new PublicError('SERVICE_UNAVAILABLE', 'Too many reads wait for the database');
const postOf = (position: number): Missed => ({
  postId: `post-${position}`,
  authorId: 'ann',
  createdAt: new Date(),
  position,
});

/** A subscription that begins at position 0, and is woken by these posts. */
function openUpdates(options: {
  readonly wokenBy: readonly Missed[];
  /** What Postgres has since a position. */
  readonly stored: readonly Missed[];
  /** Before each look at who may see a post. */
  readonly beforeLook: () => void;
}) {
  const heard = options.wokenBy.map(
    (post): Heard => ({ kind: 'woken', payload: { ...post, createdAt: post.createdAt.toISOString() } }),
  );
  const never = new Promise<null>(() => undefined);
  const deps = {
    fanOutsDone: { upTo: async () => 0 },
    missedPosts: {
      since: async (_: string, { done, seen }: { done: number; seen: ReadonlySet<number> }) =>
        heard.length < options.wokenBy.length
          ? options.stored.filter(({ position }) => position > done && !seen.has(position))
          : [],
    },
    audience: {
      expect: async () => undefined,
      async among(_: string, postIds: readonly string[]) {
        if (postIds.length > 0) options.beforeLook();
        return new Set(postIds);
      },
    },
    presence: { arrive: () => () => undefined },
    liveCursors: createLiveCursors('a secret'),
    cache: { holds: async () => null },
  };
  const listener = { next: () => Promise.resolve(heard.shift() ?? never), close: () => undefined };
  const hub = { listen: async () => listener };
  const viewer = { userId: 'reader', roles: new Set<never>(), plan: 'free' };
  return feedUpdates(deps as never, hub as never, viewer as never, null);
}

it('a post that comes while too many reads wait for the database is sent once, a moment later, and those after it too', async () => {
  const [first, second] = [postOf(1), postOf(2)];
  let looks = 0;
  const updates = openUpdates({
    wokenBy: [first, second],
    stored: [first],
    beforeLook: () => {
      looks += 1;
      if (looks <= 2) throw overloaded;
    },
  });
  expect(await updates.next()).toMatchObject({ value: { postId: first.postId } });
  expect(await updates.next()).toMatchObject({ value: { postId: second.postId } });
  await updates.return!();
});

it('a subscription that is ended while it waits for the database sends nothing more', async () => {
  const failed = Promise.withResolvers<void>();
  const updates = openUpdates({
    wokenBy: [postOf(1)],
    stored: [postOf(1)],
    beforeLook: () => {
      failed.resolve();
      throw overloaded;
    },
  });
  const next = updates.next();
  await failed.promise;
  await updates.return!();
  expect(await next).toEqual({ done: true, value: undefined });
});

it('a subscription ends with an error that waiting does not help', async () => {
  const updates = openUpdates({
    wokenBy: [postOf(1)],
    stored: [postOf(1)],
    beforeLook: () => {
      throw new TypeError('a mistake in the code');
    },
  });
  await expect(updates.next()).rejects.toThrow('a mistake in the code');
});

it('a subscription that is ended in a pause ends then, not after the pause', async () => {
  let looks = 0;
  const inPause = Promise.withResolvers<void>();
  const updates = openUpdates({
    wokenBy: [postOf(1)],
    stored: [postOf(1)],
    beforeLook: () => {
      looks += 1;
      // From here on it pauses for 2 to 4 s.
      if (looks === 4) setImmediate(() => inPause.resolve());
      throw overloaded;
    },
  });
  const next = updates.next();
  await inPause.promise;
  const endedAt = performance.now();
  await updates.return!();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(performance.now() - endedAt).toBeLessThan(1_500);
});

it('a database that stays away ends the tries after a minute, however long each takes', () => {
  expect(isPassing(overloaded, 59_000)).toBe(true);
  expect(isPassing(overloaded, 61_000)).toBe(false);
});
