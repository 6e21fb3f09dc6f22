import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { isCluster } from '../../src/platform/redis/redis.js';
import { createGraphProjector } from '../../src/projectors/feed.js';
import { forgetAll } from '../support/redis.js';
import { startRedisProcess } from '../support/redis-process.js';
import { callerOf } from './feed-callers.js';
import { type GraphWorld, inOrder, openGraphWorld } from './graph-world.js';

let world: GraphWorld;
beforeAll(async () => {
  world = await openGraphWorld();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => world.close());

/** Counts what is sent to Redis from now on. */
function spyOnRedis() {
  const spies = {
    mget: vi.spyOn(world.redis, 'mget'),
    pipeline: vi.spyOn(world.redis, 'pipeline'),
    get: vi.spyOn(world.redis, 'get'),
  };
  return () => ({
    mget: spies.mget.mock.calls.length,
    pipeline: spies.pipeline.mock.calls.length,
    get: spies.get.mock.calls.length,
  });
}

/** Of so many keys, in one round trip: on a Cluster all commands of a tick are one write to each node. */
const oneRead = (keys: number) =>
  isCluster(world.redis) ? { mget: 0, pipeline: 0, get: keys } : { mget: 1, pipeline: 0, get: 0 };

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('what is remembered of a viewer’s relations', () => {
  it('asks Postgres once, however many ask at once, and nobody asks it while nothing changes', async () => {
    await world.signIn('ann', 'ben', 'cat');
    await world.graph.followUser(callerOf('ann'), 'ben');
    await world.relations.of('cat');
    world.asked.count = 0;
    await Promise.all(Array.from({ length: 50 }, () => world.relations.of('ann')));
    expect(world.asked.count).toBe(1);
    for (let i = 0; i < 10; i += 1) await world.relations.of('ann');
    const other = world.anotherProcess();
    await vi.waitFor(async () => {
      world.asked.count = 0;
      expect([...(await other.relations.of('ann')).follows]).toEqual(['ben']);
      // The set of pulled authors, which this process had not read yet, at most.
      expect(world.asked.count).toBeLessThanOrEqual(1);
    }, 15_000);
    world.asked.count = 0;
    await other.relations.of('ann');
    expect(world.asked.count).toBe(0);
    other.close();
  });

  it('takes one round trip where this process knows the answer', async () => {
    await world.signIn('dan');
    await world.relations.of('dan');
    const asked = spyOnRedis();
    await world.relations.of('dan');
    expect(asked()).toEqual(oneRead(2));
  });

  it('takes one round trip for all viewers of one tick, and answers each viewer’s own relations', async () => {
    const people = Array.from({ length: 60 }, (_, i) => `p${i}`);
    await world.signIn('ivy', ...people);
    await world.graph.followUser(callerOf('p7'), 'ivy');
    await Promise.all(people.map((userId) => world.relations.of(userId)));
    const asked = spyOnRedis();
    const relations = await Promise.all(people.map((userId) => world.relations.of(userId)));
    expect(asked()).toEqual(oneRead(61));
    expect(relations.map(({ viewerId }) => viewerId)).toEqual(people);
    expect(relations.filter(({ follows }) => follows.has('ivy')).map(({ viewerId }) => viewerId)).toEqual([
      'p7',
    ]);
  });

  it('never serves what a change has overtaken, in whichever process it was read', async () => {
    await world.signIn('eve', 'fay', 'gus');
    const other = world.anotherProcess();
    for (const change of [
      'followUser',
      'muteUser',
      'blockUser',
      'unblockUser',
      'unmuteUser',
      'unfollowUser',
    ] as const) {
      await Promise.all([world.relations.of('eve'), other.relations.of('eve')]);
      await world.graph[change](callerOf('eve'), 'fay');
      const expected = await truth('eve');
      expect(inOrder(await world.relations.of('eve'))).toEqual(expected);
      expect(inOrder(await other.relations.of('eve'))).toEqual(expected);
    }
    await world.graph.blockUser(callerOf('gus'), 'eve');
    expect(inOrder(await other.relations.of('eve')).blocked).toEqual(['gus']);
    other.close();
  });

  it('does not use an answer that was on its way while the relations changed', async () => {
    await world.signIn('hal', 'ida');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    // Postgres has answered, and the answer waits: what comes now overtakes it.
    const query = world.postgres.query.bind(world.postgres);
    vi.spyOn(world.postgres, 'query').mockImplementation(async (statement, values) => {
      const answer = await query(statement, values);
      const name = typeof statement === 'string' ? '' : statement.name;
      if (name === 'relations.relationsOf' && JSON.stringify(values) === '[["hal"]]') await held;
      return answer;
    });
    const slow = world.relations.of('hal');
    await vi.waitFor(
      () =>
        expect(world.postgres.query).toHaveBeenCalledWith(
          expect.objectContaining({ name: 'relations.relationsOf' }),
          [['hal']],
        ),
      15_000,
    );
    const followed = world.graph.followUser(callerOf('hal'), 'ida');
    await followed;
    release();
    await slow;
    vi.restoreAllMocks();
    await settled();
    expect([...(await world.relations.of('hal')).follows]).toEqual(['ida']);
  });

  it('has an author’s first pulled post without any follower’s cache being invalidated', async () => {
    await world.signIn('jon', 'star');
    await world.graph.followUser(callerOf('jon'), 'star');
    expect((await world.relations.of('jon')).pulled).toEqual([]);
    const generation = await world.redis.get('tidings:{relations:jon}:generation');
    await world.postgres.query(`UPDATE users SET has_pulled = true WHERE user_id = 'star'`);
    await world.relations.pulledAuthorsChanged();
    expect((await world.relations.of('jon')).pulled).toEqual(['star']);
    expect(await world.redis.get('tidings:{relations:jon}:generation')).toBe(generation);
  });

  it.each(['999999999', '999/version', '1e300', 'odd'])(
    'learns of an author’s first pulled post though Redis holds a number of authors that nobody wrote: %s',
    async (odd) => {
      const [reader, author] = [`reader of ${odd}`, `author of ${odd}`].map((id) =>
        id.replace(/\W/g, '-'),
      ) as [string, string];
      await world.signIn(reader, author);
      await world.graph.followUser(callerOf(reader), author);
      await world.redis.set('tidings:pulled-authors', odd);
      expect((await world.relations.of(reader)).pulled).toEqual([]);
      await world.postgres.query('UPDATE users SET has_pulled = true WHERE user_id = $1', [author]);
      await world.relations.pulledAuthorsChanged();
      expect((await world.relations.of(reader)).pulled).toEqual([author]);
    },
  );

  it('keeps the version of the pulled authors while there are no more of them', async () => {
    await world.relations.pulledAuthorsChanged();
    const version = await world.redis.get('tidings:pulled-authors');
    await world.relations.pulledAuthorsChanged();
    expect(await world.redis.get('tidings:pulled-authors')).toBe(version);
  });

  it('uses nothing that a Redis restored from before its restart', async () => {
    await world.signIn('max', 'ned');
    const server = await startRedisProcess();
    const { relations, redis, close } = world.anotherProcess(server.url);
    const keys = ['tidings:{relations:max}:generation', 'tidings:{relations:max}:edges'] as const;
    // Nobody waits for a Redis that is not there yet.
    await redis.ping();
    await relations.of('max');
    const snapshot = await vi.waitFor(async () => {
      const held = await redis.mget(...keys);
      expect(held).not.toContain(null);
      return held as string[];
    }, 15_000);
    await world.graph.followUser(callerOf('max'), 'ned');
    await relations.invalidate(['max']);
    await server.kill();
    await server.restart();
    await vi.waitFor(() => redis.mset(keys[0], snapshot[0]!, keys[1], snapshot[1]!), 15_000);
    expect([...(await relations.of('max')).follows]).toEqual(['ned']);
    close();
    await server.stop();
  });

  it('is renewed by the projector of a change whose process was killed before it did so', async () => {
    await world.signIn('oli', 'pia');
    const projector = createGraphProjector({
      feed: { relations: world.relations, forgetFollows: world.graph.forgetFollows },
    });
    const changes = [
      'followUser',
      'muteUser',
      'blockUser',
      'unblockUser',
      'unmuteUser',
      'unfollowUser',
    ] as const;
    for (const change of changes) {
      await Promise.all(['oli', 'pia'].map(world.relations.of));
      const head = await world.log.head();
      const killed = vi.spyOn(world.relations, 'invalidate').mockResolvedValue();
      expect((await world.graph[change](callerOf('oli'), 'pia')).ok).toBe(true);
      killed.mockRestore();
      await projector.apply((await world.log.readAll(head, 10)).events, world.postgres);
      for (const viewer of ['oli', 'pia']) {
        expect(inOrder(await world.relations.of(viewer))).toEqual(await truth(viewer));
      }
    }
  });

  it('answers from Postgres while Redis is away', async () => {
    await world.signIn('kim', 'lea');
    await world.graph.followUser(callerOf('kim'), 'lea');
    const away = world.anotherProcess();
    away.close();
    expect([...(await away.relations.of('kim')).follows]).toEqual(['lea']);
  });

  it('knows nobody’s relations of one who does not exist', async () => {
    expect(inOrder(await world.relations.of('nobody'))).toEqual({
      follows: [],
      muted: [],
      blocked: [],
      pulled: [],
      keywords: [],
    });
  });
});

const PEOPLE = ['q0', 'q1', 'q2', 'q3'];
const CHANGES = ['followUser', 'unfollowUser', 'muteUser', 'unmuteUser', 'blockUser', 'unblockUser'] as const;
const person = fc.integer({ min: 0, max: PEOPLE.length - 1 }).map((i) => PEOPLE[i]!);
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ who: person, change: fc.constantFrom(...CHANGES), whom: person }) },
  { weight: 1, arbitrary: fc.constant('FLUSHALL' as const) },
  { weight: 1, arbitrary: fc.record({ pulled: person }) },
);

it('after any sequence of changes and losses, counts are the edges and every process reads what Postgres says', async () => {
  await world.signIn(...PEOPLE);
  const other = world.anotherProcess();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      for (const next of steps) {
        // Readers all the time: what they cache while the change happens must not be served after it.
        const readers = PEOPLE.flatMap((viewer) => [world.relations.of(viewer), other.relations.of(viewer)]);
        if (next === 'FLUSHALL') await forgetAll(world.redis);
        else if ('pulled' in next) {
          await world.postgres.query('UPDATE users SET has_pulled = true WHERE user_id = $1', [next.pulled]);
          await world.relations.pulledAuthorsChanged();
        } else await world.graph[next.change](callerOf(next.who), next.whom);
        await Promise.all(readers);
        for (const viewer of PEOPLE) {
          const expected = await truth(viewer);
          expect(inOrder(await world.relations.of(viewer))).toEqual(expected);
          expect(inOrder(await other.relations.of(viewer))).toEqual(expected);
        }
      }
      const { rows } = await world.postgres.query<{ wrong: number }>(
        `SELECT count(*) AS wrong FROM counted_users u
         WHERE follower_count <> (SELECT count(*) FROM follows WHERE followee_id = u.id)
            OR following_count <> (SELECT count(*) FROM follows WHERE follower_id = u.id)`,
      );
      expect(rows[0]!.wrong).toBe(0);
    }),
    // What was done stays: a shorter sequence would start elsewhere.
    { numRuns: 25, endOnFailure: true, interruptAfterTimeLimit: 60_000 },
  );
  other.close();
}, 120_000);

/** Postgres itself, asked in another way than the cache does. */
async function truth(userId: string) {
  const follows = '(me.id, o.id) IN (SELECT follower_id, followee_id FROM follows)';
  const blocks = (one: string, other: string) =>
    `(${one}.id, ${other}.id) IN (SELECT user_id, blocked_id FROM blocks)`;
  const names = (condition: string) =>
    `coalesce(array_agg(o.user_id ORDER BY o.user_id COLLATE "C") FILTER (WHERE ${condition}), '{}')`;
  const { rows } = await world.postgres.query<ReturnType<typeof inOrder>>(
    `SELECT ${names(follows)} AS follows,
       ${names('(me.id, o.id) IN (SELECT user_id, muted_id FROM mutes)')} AS muted,
       ${names(`${blocks('me', 'o')} OR ${blocks('o', 'me')}`)} AS blocked,
       ${names(`${follows} AND o.has_pulled`)} AS pulled,
       '{}'::text[] AS keywords
     FROM users o, users me WHERE me.user_id = $1`,
    [userId],
  );
  return rows[0]!;
}
