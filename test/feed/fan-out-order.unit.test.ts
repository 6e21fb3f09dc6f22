import { expect, it } from 'vitest';
import { serve } from '../../src/domains/feed/fan-out/serve.js';
import { FOLLOWED_MS } from '../../src/platform/cache/missed-writes.js';
import type { Redis } from '../../src/platform/redis/redis.js';
import { createWakeUpPublisher } from '../../src/platform/wake-ups/wake-ups.js';

/** How long a process takes at most to follow a note, while it has its lease. */
const FOLLOWS_WITHIN_MS = FOLLOWED_MS - 200;

const post = (position: number) => ({
  post_id: `post-${position}`,
  author: 'ann',
  created_at: new Date(position),
  position,
});

function open(push: () => Promise<number>) {
  const heard: string[] = [];
  const redis = {
    takesWrites: false,
    evalsha: async (...args: unknown[]) => void heard.push(JSON.parse(String(args.at(-1))).payload.postId),
    // One process subscribes to everything.
    isCluster: false,
    exists: async () => 0,
    hmget: async (_: string, ...topics: string[]) => topics.map(() => 'process'),
  };
  const wakeUps = createWakeUpPublisher(redis as unknown as Redis, {
    missed: {
      async recordTopics() {
        setTimeout(() => heard.push('what was noted'), FOLLOWS_WITHIN_MS);
      },
    },
    lease: {
      isHeld: () => redis.takesWrites,
      read: async (read) => (redis.takesWrites ? read('epoch') : undefined),
    },
  });
  const deps = { wakeUps, cache: { push } as Partial<Parameters<typeof serve>[0]['cache']> as never };
  return { heard, redis, fanOut: (position: number) => serve(deps, post(position), ['reader'], 0) };
}

it('a post whose wake-up failed wakes readers before its author’s next one', async () => {
  const { heard, redis, fanOut } = open(async () => 1);
  await fanOut(1);
  redis.takesWrites = true;
  await fanOut(2);
  expect(heard).toEqual(['what was noted', 'post-2']);
});

it('a post whose feeds could not be written is done again at once: the next one does not come before that', async () => {
  const { heard, fanOut } = open(() => Promise.reject(new Error('Redis is full')));
  await expect(fanOut(1)).rejects.toThrow('Redis is full');
  expect(heard).toEqual([]);
});
