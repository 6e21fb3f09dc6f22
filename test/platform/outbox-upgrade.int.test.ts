import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageOutbox } from '../../src/domains/commerce/tasks.js';
import { transferOutbox } from '../../src/domains/commerce/transfer/pending.js';
import { fanOutOutbox, noticeOutbox } from '../../src/domains/feed/index.js';
import { keysOf } from '../support/outbox.js';
import { unfinished, upgradeBesideFormer } from './former-outbox-world.js';

const MANY = 2_500;

let world: Awaited<ReturnType<typeof upgradeBesideFormer>>;
beforeAll(async () => {
  world = await upgradeBesideFormer(MANY);
}, 180_000);
afterAll(() => world.close());

describe('whatever was pending before the upgrade is in the outbox, and nothing that was done since:', () => {
  it('copied, whatever killed the copy', () => {
    expect(world.copies.map(([first]) => first)).toEqual(world.copies.map(([, again]) => again));
  });

  it('messages', async () => {
    const keys = await keysOf(world.postgres, messageOutbox);
    expect(keys).toHaveLength(MANY);
    expect(keys).toContain('Order-late@2');
    expect(keys).not.toContain('Order-0@1');
    // As due as it was, whoever took it up meanwhile.
    expect(await world.outbox.claim(messageOutbox, 10)).toEqual([
      { payload: { streamId: 'Order-1', streamPosition: 1 }, correlationId: 'story 1' },
    ]);
    expect(await world.rows("SELECT attempts FROM outbox WHERE key = 'commerce.message:Order-1@1'")).toEqual([
      { attempts: 4 },
    ]);
  });

  it('notices', async () => {
    const keys = await keysOf(world.postgres, noticeOutbox);
    expect(keys).toHaveLength(MANY - 1);
    expect(keys).not.toContain('0:POST_LIKED');
    const claimed = await world.outbox.claim(noticeOutbox, MANY);
    expect(claimed).toHaveLength(MANY - 1);
    expect(claimed).toContainEqual({
      payload: { position: 9_000, type: 'NEW_FOLLOWER', actor: 'ben', subject: 'ann' },
      correlationId: 'late',
    });
  });

  it('transfers', async () => {
    const keys = await keysOf(world.postgres, transferOutbox);
    expect(keys).toHaveLength(MANY + 21);
    expect(keys).toEqual(expect.arrayContaining(['t1', 'late', 'ownerless']));
    expect(keys).not.toContain('t0');
    const closing = async (accountId: string) =>
      (
        await world.rows<{ refusal: unknown }>('SELECT guard_close_account($1) AS refusal', [{ accountId }])
      )[0]!.refusal;
    expect(await closing('acc-late')).toEqual({ refuse: 'TRANSFERS_PENDING' });
    expect(await closing('acc-none')).toBe(null);
    const args = { transferId: 'one-too-many', fromAccountId: 'acc-many', ownerId: 'cat' };
    expect(await world.rows('SELECT guard_start_transfer($1, now()) AS refusal', [args])).toEqual([
      { refusal: { refuse: 'TOO_MANY_TRANSFERS', of: 'source' } },
    ]);
    await world.rows(`SELECT guard_finish_transfer('{"transferId": "late"}')`);
    expect(await closing('acc-late')).toBe(null);
  });

  it('the turns of transfers: owners take turns, then sources; of an owner who is not known, each source by itself', async () => {
    const turnsOf = async (owner: string) =>
      (
        await world.rows<{ turn: number }>(
          `SELECT (payload -> 'turn')::int AS turn FROM outbox WHERE payload ->> 'fromOwnerId' = $1 ORDER BY 1`,
          [owner],
        )
      ).map(({ turn }) => turn);
    expect(await turnsOf('ann')).toEqual(Array.from({ length: 19 }, (_, n) => n + 1));
    expect(await turnsOf('account acc-old')).toEqual([1]);
    expect(
      await world.rows("SELECT pending, sources FROM transfer_counts WHERE scope = 'owner' AND id = 'ann'"),
    ).toEqual([{ pending: 19, sources: 2 }]);
  });

  it('fan-outs', async () => {
    expect(await world.outbox.claim(fanOutOutbox, 10)).toMatchObject([
      { payload: { postId: unfinished, authorId: 'ann' } },
    ]);
  });
});
