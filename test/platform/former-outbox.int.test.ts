import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageOutbox } from '../../src/domains/commerce/tasks.js';
import { fanOutOutbox, noticeOutbox, undoneReactionOutbox } from '../../src/domains/feed/index.js';
import { keysOf } from '../support/outbox.js';
import { finishedFormerly, upgradeBesideFormer, uuid } from './former-outbox-world.js';

let world: Awaited<ReturnType<typeof upgradeBesideFormer>>;
beforeAll(async () => {
  world = await upgradeBesideFormer(20);
  // What was pending before is not due in these tests.
  await world.rows("UPDATE outbox SET due_at = now() + interval '1 hour'");
}, 180_000);
afterAll(() => world.close());

describe('a process of the former version goes on beside new ones:', () => {
  it('its messages are in the outbox at once, and it finds those of new processes', async () => {
    await world.formerly('noteMessages', ['Order-former', 'Order-former'], [1, 1], ['c', 'c']);
    expect(await keysOf(world.postgres, messageOutbox)).toContain('Order-former@1');
    await world.outbox.add(world.postgres, messageOutbox, [
      { payload: { streamId: 'Order-new', streamPosition: 7 }, correlationId: 'new' },
    ]);
    await world.rows(
      "UPDATE outbox SET due_at = now() - interval '1 ms' WHERE key LIKE 'commerce.message:Order-former@1' OR key LIKE 'commerce.message:Order-new@7'",
    );
    expect(await world.formerly('takeUpMessages', 1_000, null)).toHaveLength(2);
    expect(await world.formerly('takeUpMessages', 1_000, 10_000)).toEqual([]);
    expect(await world.outbox.claim(messageOutbox, 1_000)).toEqual([]);
    await world.formerly('settleMessage', 'Order-new', 7);
    await world.outbox.complete(messageOutbox, [{ streamId: 'Order-former', streamPosition: 1 }]);
    expect(await keysOf(world.postgres, messageOutbox)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/former|new/)]),
    );
  });

  it('its notices are in the outbox at once, and it publishes those of new processes', async () => {
    await world.rows("DELETE FROM outbox WHERE kind = 'feed.notice'");
    await world.formerly('noteNotices', [10_001], ['POST_LIKED'], ['ann'], [uuid(9)], ['former']);
    await world.outbox.add(world.postgres, noticeOutbox, [
      {
        payload: { position: 10_002, type: 'POST_LIKED', actor: 'ben', subject: uuid(9) },
        correlationId: 'new',
      },
    ]);
    // Not for that version: it would take this for a notice that nobody wants any more.
    await world.outbox.add(world.postgres, undoneReactionOutbox, [
      { payload: { position: 10_003, actor: 'ben', postId: uuid(9) }, correlationId: 'new' },
    ]);
    const claimed = await world.formerly<{ position: number }>('claimNotices', 20, null);
    expect(claimed.toSorted((one, other) => one.position - other.position)).toEqual([
      { position: 10_001, type: 'POST_LIKED', actor: 'ann', subject: uuid(9), correlationId: 'former' },
      { position: 10_002, type: 'POST_LIKED', actor: 'ben', subject: uuid(9), correlationId: 'new' },
    ]);
    await world.formerly('settleNotices', [10_001, 10_002], ['POST_LIKED', 'POST_LIKED']);
    expect(await keysOf(world.postgres, noticeOutbox)).toEqual([]);
    expect(await keysOf(world.postgres, undoneReactionOutbox)).toEqual(['10003']);
  });

  it('it finds pending transfers, and takes them up', async () => {
    const args = { transferId: 'n1', fromAccountId: 'acc-n', ownerId: 'dan', correlationId: 'story' };
    for (const transferId of ['n1', 'n2'])
      await world.rows('SELECT guard_start_transfer($1, now())', [{ ...args, transferId }]);
    expect(await world.formerly('turnsOf', ['n1', 'n2'])).toEqual([
      { transferId: 'n1', turn: 1 },
      { transferId: 'n2', turn: 2 },
    ]);
    expect(await world.formerly('ofAccount', 'acc-n')).toHaveLength(2);
    await world.rows("UPDATE outbox SET due_at = now() - interval '1 ms' WHERE key = 'commerce.transfer:n1'");
    expect(await world.formerly('takeUpTransfers', 1_000, null)).toEqual([{ transfer_id: 'n1' }]);
    for (const transferId of ['n1', 'n2'])
      await world.rows('SELECT guard_finish_transfer($1)', [{ transferId }]);
    expect(await world.formerly('ofAccount', 'acc-n')).toEqual([]);
  });

  it('its fan-outs are in the outbox at once, and are over when it has finished them', async () => {
    await world.formerly('beginFanOuts', [finishedFormerly]);
    expect(await keysOf(world.postgres, fanOutOutbox)).toContain(finishedFormerly);
    await world.rows('UPDATE fanouts SET completed_at = now() WHERE post_id = $1', [finishedFormerly]);
    expect(await keysOf(world.postgres, fanOutOutbox)).not.toContain(finishedFormerly);
  });
});
