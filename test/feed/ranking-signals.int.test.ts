import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SignalInput } from '../../src/domains/feed/ranking/signals.js';
import { openRedis } from '../../src/platform/redis/redis.js';
import { forgetAll, keysLike } from '../support/redis.js';
import { DAY, MINUTE, openRankingWorld, type RankingWorld, START } from './ranking-world.js';

let world: RankingWorld;
beforeAll(async () => {
  world = await openRankingWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await forgetAll(world.redis);
  await world.postgres.query('TRUNCATE signals, affinities, blocks, follows');
  world.clock.at = START;
});

const record = async (viewerId: string, ...signals: SignalInput[]): Promise<number> => {
  const result = await world.ranking.recordSignals(viewerId, signals);
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.errors)}`);
  return result.value;
};
const refusal = async (...signals: unknown[]) => {
  const result = await world.ranking.recordSignals('ann', signals as SignalInput[]);
  return result.ok ? [] : result.errors.map(({ code, path }) => `${code} ${path?.join('.')}`);
};
const stored = async () =>
  (
    await world.postgres.query<{ told: string }>(
      `SELECT concat_ws(' ', u.user_id, s.kind, a.user_id) AS told
       FROM signals s JOIN users u ON u.id = s.user_id JOIN users a ON a.id = s.author_id ORDER BY s.id`,
    )
  ).rows.map(({ told }) => told);
const block = (one: string, other: string) =>
  world.postgres.query(
    'INSERT INTO blocks (user_id, blocked_id) SELECT a.id, b.id FROM users a, users b WHERE a.user_id = $1 AND b.user_id = $2',
    [one, other],
  );

describe('recording signals', () => {
  it('notes what was done with posts and with people, and says how many counted', async () => {
    const postId = await world.post('ben');
    const all: SignalInput[] = [
      { kind: 'IMPRESSION', postId },
      { kind: 'CLICK', postId },
      { kind: 'HIDE', postId },
      { kind: 'PROFILE_VISIT', userId: 'cat' },
      { kind: 'DIRECT_MESSAGE', userId: 'cat' },
      { kind: 'TAG', userId: 'dan' },
    ];
    expect(await record('ann', ...all)).toBe(6);
    expect((await stored()).sort()).toEqual([
      'ann CLICK ben',
      'ann DIRECT_MESSAGE cat',
      'ann HIDE ben',
      'ann IMPRESSION ben',
      'ann PROFILE_VISIT cat',
      'ann TAG dan',
    ]);
    expect(await record('ann')).toBe(0);
  });

  it('counts repeats within a minute once: in one call, in another, in ten at once, on another process', async () => {
    const postId = await world.post('ben');
    const click: SignalInput = { kind: 'CLICK', postId };
    expect(await record('ann', click, click, { kind: 'CLICK', postId: postId.toUpperCase() })).toBe(1);
    expect(await record('ann', click)).toBe(0);
    expect(await world.another().recordSignals('ann', [click])).toEqual({ ok: true, value: 0 });
    const visit: SignalInput = { kind: 'PROFILE_VISIT', userId: 'cat' };
    const counted = await Promise.all(Array.from({ length: 10 }, () => record('ann', visit)));
    expect(counted.reduce((sum, one) => sum + one)).toBe(1);
    // Another viewer, another kind, another post are no repeats.
    expect(await record('dan', click)).toBe(1);
    expect(await record('ann', { kind: 'IMPRESSION', postId })).toBe(1);
  });

  it('ignores repeats within a minute', async () => {
    await record('ann', { kind: 'CLICK', postId: await world.post('ben') });
    const keys = await keysLike(world.redis, 'tidings:feed:signal:*');
    expect(keys).toHaveLength(1);
    const left = await world.redis.pttl(keys[0]!);
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(MINUTE);
  });

  it('does not count oneself, the unknown, the deleted and what one may not see', async () => {
    const own = await world.post('ann');
    const secret = await world.post('ben', { visibility: 'private' });
    const followersOnly = await world.post('ben', { visibility: 'followers' });
    const deleted = await world.post('ben', { deleted: '2026-11-22T11:00:00Z' });
    const blocked = await world.post('dan');
    await block('dan', 'ann');
    const invisible = [own, secret, followersOnly, deleted, blocked, world.ids.next()];
    const people = ['ann', 'dan', 'nobody at all'];
    expect(
      await record(
        'ann',
        ...invisible.map((postId): SignalInput => ({ kind: 'CLICK', postId })),
        ...people.map((userId): SignalInput => ({ kind: 'TAG', userId })),
      ),
    ).toBe(0);
    expect(await record('nobody at all', { kind: 'TAG', userId: 'ben' })).toBe(0);
    expect(await stored()).toEqual([]);
  });

  it('refuses all of a call, naming each element at fault', async () => {
    const postId = await world.post('ben');
    expect(
      await refusal(
        { kind: 'CLICK' },
        { kind: 'CLICK', postId },
        { kind: 'IMPRESSION', postId: 'no uuid' },
        { kind: 'HIDE', userId: 'ben' },
        { kind: 'TAG', postId },
        { kind: 'DIRECT_MESSAGE', userId: '' },
        { kind: 'PROFILE_VISIT', userId: 'x'.repeat(65) },
        { kind: 'PROFILE_VISIT', userId: 'a\0b' },
      ),
    ).toEqual([0, 2, 3, 4, 5, 6, 7].map((index) => `SIGNAL_INVALID input.signals.${index}`));
    expect(await stored()).toEqual([]);
    const hundred = Array.from({ length: 100 }, () => ({ kind: 'CLICK', postId }));
    expect(await refusal(...hundred)).toEqual([]);
    expect(await refusal(...hundred, hundred[0])).toEqual(['TOO_MANY_SIGNALS input.signals']);
  });

  it('accepts a repeat of signals that could not be written', async () => {
    const postId = await world.post('ben');
    const broken = world.another({
      postgres: { ...world.postgres, query: () => Promise.reject(new Error('Postgres is away')) },
    });
    await expect(broken.recordSignals('ann', [{ kind: 'CLICK', postId }])).rejects.toThrow('away');
    expect(await record('ann', { kind: 'CLICK', postId })).toBe(1);
  });

  it('goes on while Redis is away, and counts each once a call', async () => {
    const click: SignalInput = { kind: 'CLICK', postId: await world.post('ben') };
    const nowhere = openRedis(['redis://127.0.0.1:1'], () => undefined);
    const ranking = world.another({ redis: nowhere });
    expect(await ranking.recordSignals('ann', [click, click])).toEqual({ ok: true, value: 1 });
    nowhere.disconnect();
  });

  it('forgets signals after 30 days, and no others', async () => {
    const postId = await world.post('ben');
    await record('ann', { kind: 'CLICK', postId });
    world.clock.at = START + 20 * DAY;
    await record('cat', { kind: 'CLICK', postId });
    world.clock.at = START + 30 * DAY + 1;
    await world.ranking.forgetSignals();
    expect(await stored()).toEqual(['cat CLICK ben']);
  });
});
