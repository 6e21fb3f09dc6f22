import { graphql } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Feed } from '../../src/domains/feed/index.js';
import type { RecordedEvent } from '../../src/platform/event-log/index.js';
import { createRankingProjector } from '../../src/projectors/feed-ranking.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { forgetAll } from '../support/redis.js';
import { callerOf } from './feed-callers.js';
import { openRankingWorld, type RankingWorld, START } from './ranking-world.js';

let world: RankingWorld;
beforeAll(async () => {
  world = await openRankingWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await forgetAll(world.redis);
  await world.postgres.query('TRUNCATE signals, affinities');
});

const feedOf = () => ({ ranking: world.ranking }) as Pick<Feed, 'ranking'>;
const event = (type: string, data: Record<string, unknown>) =>
  ({ type, data, createdAt: new Date(START) }) as unknown as RecordedEvent;

const published = (authorId: string) => ({
  postId: world.ids.next(),
  authorId,
  content: '',
  visibility: 'public',
  version: 1,
});

describe('the projector of affinities', () => {
  const told = async () =>
    (
      await world.postgres.query<{ told: string }>(
        `SELECT concat_ws(' ', r.user_id, a.user_id, s.score) AS told FROM affinities s
         JOIN users r ON r.id = s.user_id JOIN users a ON a.id = s.author_id ORDER BY 1`,
      )
    ).rows.map((row) => row.told);

  it('brings readers closer by reactions, comments and shares, and by nothing else', async () => {
    const [one, other] = [await world.post('ben'), await world.post('ben')];
    await createRankingProjector({ feed: feedOf() }).apply(
      [
        event('PostReacted', { postId: one, userId: 'ann', kind: 'LIKE', version: 1 }),
        // He changes his mind: one post is liked once.
        event('PostReacted', { postId: one, userId: 'ann', kind: 'LOVE', version: 1 }),
        event('PostReacted', { postId: other, userId: 'cat', kind: 'ANGRY', version: 1 }),
        event('PostCommented', { commentId: world.ids.next(), postId: one, authorId: 'ann', version: 1 }),
        event('PostPublished', { ...published('dan'), content: 'mine' }),
        event('PostPublished', { ...published('eve'), sharedPostId: other }),
      ],
      world.postgres,
    );
    expect(await told()).toEqual(['ann ben 4', 'eve ben 5']);
  });

  it('does nothing of a batch that is rolled back, and all of it once when it is applied', async () => {
    const postId = await world.post('ben');
    const events = [event('PostCommented', { commentId: world.ids.next(), postId, authorId: 'ann' })];
    const projector = createRankingProjector({ feed: feedOf() });
    const failing = world.postgres.transaction(async (tx) => {
      await projector.apply(events, tx);
      throw new Error('the checkpoint could not be moved');
    });
    await expect(failing).rejects.toThrow('checkpoint');
    expect(await told()).toEqual([]);
    await world.postgres.transaction((tx) => projector.apply(events, tx));
    expect(await told()).toEqual(['ann ben 3']);
  });
});

describe('recordSignals', () => {
  const record = async (userId: string | null, signals: unknown) => {
    const context = { viewer: userId && callerOf(userId).viewer, app: { feed: feedOf() } };
    const { data, errors } = await graphql({
      schema: await buildApiSchema(),
      source: `mutation ($input: RecordSignalsInput!) {
        recordSignals(input: $input) { recorded userErrors { code path } }
      }`,
      variableValues: { input: { signals } },
      contextValue: context,
    });
    return errors ? errors[0]!.message : JSON.parse(JSON.stringify(data!.recordSignals));
  };

  it('says how many counted', async () => {
    const postId = await world.post('ben');
    const signals = [
      { kind: 'IMPRESSION', postId },
      { kind: 'IMPRESSION', postId },
      { kind: 'TAG', userId: 'cat' },
    ];
    expect(await record('ann', signals)).toEqual({ recorded: 2, userErrors: [] });
  });

  it('points at the element that it cannot take', async () => {
    expect(await record('ann', [{ kind: 'TAG', userId: 'ben' }, { kind: 'CLICK' }])).toEqual({
      recorded: 0,
      userErrors: [{ code: 'SIGNAL_INVALID', path: ['input', 'signals', '1'] }],
    });
  });

  it('is for who is signed in', async () => {
    expect(await record(null, [])).toContain('token');
  });
});
