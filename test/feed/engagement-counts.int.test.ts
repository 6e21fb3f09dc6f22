import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCounts } from '../../src/domains/feed/engagement/counts.js';
import { createWriteBack } from '../../src/domains/feed/engagement/write-back.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { openRedis } from '../../src/platform/redis/redis.js';
import { heldLease } from '../support/held-lease.js';
import { forgetAll, keysLike, valueLike } from '../support/redis.js';
import { callerOf, type EngagementWorld, openEngagementWorld } from './engagement-world.js';

const people = Array.from({ length: 50 }, (_, index) => `u${index}`);
const CROWDS = Number(process.env.ENGAGEMENT_CROWDS ?? 1);
const forever = new AbortController().signal;

let world: EngagementWorld;
let post: string;
beforeAll(async () => {
  world = await openEngagementWorld();
  await world.users('ann', ...people);
});
beforeEach(async () => {
  post = await world.post('ann');
});
afterAll(() => world.close());

const like = (userId: string) => world.engagement.reactToPost(callerOf(userId), post, 'LIKE');
const unlike = (userId: string) => world.engagement.removeReaction(callerOf(userId), post);
const likes = async () => (await world.engagement.counts.of([post]))[0]?.reactions.LIKE;
/** What Redis alone would answer. */
const cachedLikes = async () =>
  Number((await valueLike(world.redis, `tidings:{counts*}:${post}`))?.split(' ')[2] ?? Number.NaN);

/** Postgres whose answers wait until they are let go. */
function slowAnswers() {
  let letGo: () => void = () => undefined;
  let answered: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const read = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const postgres: Queryable = {
    async query(statement, values) {
      const answer = await world.postgres.query(statement, values);
      answered();
      await gate;
      return answer as never;
    },
  };
  const deps = { redis: world.redis, ids: uuidV7Ids(systemClock), lease: heldLease(world.redis) };
  return { counts: createCounts({ ...deps, postgres }), letGo, read };
}

describe('counts', () => {
  it('are there for posts that exist, and for no others', async () => {
    const found = await world.engagement.counts.of([post, randomUUID()]);
    expect(found).toEqual([await world.countRows(post), undefined]);
  });

  it('cost one statement when they are cold, and none when they are warm', async () => {
    let statements = 0;
    const postgres: Queryable = {
      query: (statement, values) => {
        statements += 1;
        return world.postgres.query(statement, values) as never;
      },
    };
    const deps = { redis: world.redis, ids: uuidV7Ids(systemClock), lease: heldLease(world.redis) };
    const counts = createCounts({ ...deps, postgres });
    const posts = [post, ...(await Promise.all(people.map(() => world.post('ann'))))];
    expect((await counts.of(posts)).filter(Boolean)).toHaveLength(51);
    expect(statements).toBe(1);
    expect((await counts.of(posts)).filter(Boolean)).toHaveLength(51);
    expect(statements).toBe(1);
  });

  it('are right at once after Redis lost everything', async () => {
    await like('u0');
    await forgetAll(world.redis);
    expect(await likes()).toBe(1);
    await like('u1');
    expect(await cachedLikes()).toBe(2);
  });

  it('are right though what Redis has is of another life of its', async () => {
    await like('u0');
    const [key] = await keysLike(world.redis, `tidings:{counts*}:${post}`);
    const stale = await world.redis.get(key!);
    await like('u1');
    // A restart from an older snapshot: the same keys, another server.
    await world.redis.set(key!, stale!);
    const restarted = { current: () => Promise.resolve('another run') };
    const deps = { redis: world.redis, ids: uuidV7Ids(systemClock), postgres: world.postgres };
    const counts = createCounts({ ...deps, lease: heldLease(world.redis, restarted) });
    expect((await counts.of([post]))[0]?.reactions.LIKE).toBe(2);
    expect((await counts.of([post]))[0]?.reactions.LIKE).toBe(2);
  });

  it('come from Postgres while Redis is away', async () => {
    await like('u0');
    const redis = openRedis(['redis://127.0.0.1:1'], () => undefined);
    const deps = { ids: uuidV7Ids(systemClock), postgres: world.postgres };
    const counts = createCounts({ ...deps, redis, lease: heldLease(redis) });
    expect((await counts.of([post]))[0]?.reactions.LIKE).toBe(1);
    await expect(counts.publish([post])).rejects.toThrow('Redis is away');
    redis.disconnect();
  });
});

describe('a slow writer', () => {
  it('does not replace later counts', async () => {
    const slow = slowAnswers();
    const publishing = slow.counts.publish([post]);
    await slow.read;
    await like('u0');
    slow.letGo();
    await publishing;
    expect(await cachedLikes()).toBe(1);
    expect(await likes()).toBe(1);
  });

  it('does not fill an emptied Redis with what it read before', async () => {
    const slow = slowAnswers();
    const publishing = slow.counts.publish([post]);
    await slow.read;
    await like('u0');
    await forgetAll(world.redis);
    slow.letGo();
    await publishing;
    expect(await likes()).toBe(1);
  });

  it('does not fill a miss with what it read before the miss was filled by another', async () => {
    const slow = slowAnswers();
    const reading = slow.counts.of([post]);
    await slow.read;
    await like('u0');
    slow.letGo();
    expect((await reading)[0]?.reactions.LIKE).toBe(0);
    expect(await likes()).toBe(1);
  });
});

describe('writing back', () => {
  const stored = async () => {
    const { rows } = await world.postgres.query<{ like_count: number }>(
      'SELECT like_count FROM posts WHERE post_id = $1',
      [post],
    );
    return rows[0]!.like_count;
  };

  beforeEach(() => world.engagement.writeBackCounts(forever));

  it('moves what was counted to the posts, whatever batches it takes, and changes no count', async () => {
    const posts = await Promise.all(people.slice(0, 7).map(() => world.post('ann')));
    for (const postId of [post, ...posts]) await world.engagement.reactToPost(callerOf('u0'), postId, 'LIKE');
    await like('u1');
    expect(await stored()).toBe(0);
    expect(await createWriteBack(world, 3).writeBack(forever)).toBe(9);
    expect(await world.engagement.countWaitingDeltas()).toBe(0);
    expect(await stored()).toBe(2);
    expect(await likes()).toBe(2);
    await forgetAll(world.redis);
    expect(await likes()).toBe(2);
  });

  it('skips a post that another worker is writing, and writes it the next time', async () => {
    await like('u0');
    await world.postgres.transaction(async (tx) => {
      await tx.query('UPDATE posts SET content = content WHERE post_id = $1', [post]);
      expect(await world.engagement.writeBackCounts(forever)).toBe(0);
    });
    expect(await world.engagement.writeBackCounts(forever)).toBe(1);
    expect(await stored()).toBe(1);
  });

  it('by one who is killed before the end has done nothing', async () => {
    await like('u0');
    await world.postgres
      .transaction(async (tx) => {
        await createWriteBack({ postgres: tx }).writeBack(forever);
        throw new Error('killed');
      })
      .catch(() => undefined);
    expect([await stored(), await likes()]).toEqual([0, 1]);
    await world.engagement.writeBackCounts(forever);
    expect([await stored(), await likes()]).toEqual([1, 1]);
  });

  it('forgets what was counted of posts that are gone', async () => {
    await like('u0');
    await world.postgres.query('DELETE FROM posts WHERE post_id = $1', [post]);
    await world.engagement.writeBackCounts(forever);
    expect(await world.engagement.countWaitingDeltas()).toBe(0);
  });
});

describe('a popular post', () => {
  const rows = async () => {
    const { rows } = await world.postgres.query<{ waiting: number }>(
      'SELECT count(*) AS waiting FROM post_count_deltas WHERE post_id = $1',
      [post],
    );
    return rows[0]!.waiting;
  };

  it('never has more than a thousand deltas to be added up', async () => {
    await world.postgres.query(
      "INSERT INTO post_count_deltas (post_id, counter, delta) SELECT $1, 'LIKE', 1 FROM generate_series(1, 998)",
      [post],
    );
    await like('u0');
    expect(await rows()).toBe(999);
    await world.engagement.reactToPost(callerOf('u1'), post, 'LOVE');
    expect(await rows()).toBe(0);
    await like('u2');
    await unlike('u1');
    const { reactions } = (await world.engagement.counts.of([post]))[0]!;
    expect(reactions).toMatchObject({ LIKE: 1_000, LOVE: 0 });
  });

  it('counts each like once, however many add up and write back at once', async () => {
    const deps = { ...world, ids: uuidV7Ids(systemClock), lease: heldLease(world.redis) };
    const eager = createCounts(deps, 2);
    let isOver = false;
    const meanwhile = [1, 2, 3, 4].map(async (one) => {
      while (!isOver) await (one === 1 ? world.engagement.writeBackCounts(forever) : eager.publish([post]));
    });
    await Promise.all(people.map((userId) => like(userId)));
    await Promise.all(people.slice(0, 20).map((userId) => unlike(userId)));
    isOver = true;
    await Promise.all(meanwhile);
    expect(await likes()).toBe(30);
    expect((await world.countRows(post)).reactions.LIKE).toBe(30);
    await forgetAll(world.redis);
    expect(await likes()).toBe(30);
  });
});

describe('fifty people at once', { repeats: CROWDS - 1 }, () => {
  it('liking and unliking, beside writers-back, publishers and a Redis that is emptied: exact, and never below 0', async () => {
    let done = false;
    const seen: number[] = [];
    const beside = [
      ...[1, 2].map(async () => {
        while (!done) await world.engagement.writeBackCounts(forever);
      }),
      (async () => {
        while (!done) {
          await forgetAll(world.redis);
          await world.engagement.counts.publish([post]);
        }
      })(),
      (async () => {
        while (!done) seen.push((await likes())!);
      })(),
    ];
    await Promise.all(
      people.map(async (userId, index) => {
        for (let round = 0; round < 4; round += 1) {
          await like(userId);
          if (round < 3 || index % 2 === 0) await unlike(userId);
        }
      }),
    );
    done = true;
    await Promise.all(beside);
    expect(await likes()).toBe(25);
    expect(await world.engagement.counts.of([post])).toEqual([await world.countRows(post)]);
    await world.engagement.writeBackCounts(forever);
    expect(await stored()).toBe(25);
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...seen)).toBeLessThanOrEqual(50);

    async function stored(): Promise<number> {
      const { rows } = await world.postgres.query<{ like_count: number }>(
        'SELECT like_count FROM posts WHERE post_id = $1',
        [post],
      );
      return rows[0]!.like_count;
    }
  });
});
