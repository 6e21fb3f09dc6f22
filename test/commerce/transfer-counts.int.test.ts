import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomFrom } from '../platform/log-partitions.js';
import { type CommerceOnTest, openCommerce } from './with-commerce.js';

let on: CommerceOnTest;
beforeAll(async () => {
  on = await openCommerce();
});
afterAll(() => on.close());

async function verdict(guard: string, args: object): Promise<unknown> {
  const { rows } = await on.postgres.query<{ verdict: unknown }>(
    'SELECT run_guard($1, $2, now(), 1) AS verdict',
    [guard, args],
  );
  return rows[0]!.verdict;
}
const turnOf = async (transferId: string): Promise<number> => {
  const { rows } = await on.postgres.query<{ turn: number }>(
    `SELECT (payload -> 'turn')::int AS turn FROM outbox WHERE key = 'commerce.transfer:' || $1`,
    [transferId],
  );
  return rows[0]!.turn;
};

it('however transfers start and end, those that are pending are counted by source and by owner', async () => {
  const random = randomFrom(7);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const pending: { transferId: string; fromAccountId: string; ownerId: string }[] = [];
  for (let n = 0; n < 400; n += 1) {
    const ownerId = pick(['ann', 'ben']);
    const transfer = { transferId: `t${n}`, fromAccountId: `${ownerId}-${pick([1, 2, 3])}`, ownerId };
    if (random() < 0.5 || pending.length === 0) {
      expect(await verdict('start_transfer', transfer)).toBeNull();
      pending.push(transfer);
    } else {
      const [over] = pending.splice(Math.floor(random() * pending.length), 1);
      // A step that is repeated ends it once.
      for (let time = 0; time < 2; time += 1) expect(await verdict('finish_transfer', over!)).toBeNull();
    }
  }
  const counted = async (scope: string) =>
    (
      await on.postgres.query<{ id: string; pending: number; sources: number }>(
        'SELECT id, pending, sources FROM transfer_counts WHERE scope = $1 AND pending > 0 ORDER BY id',
        [scope],
      )
    ).rows;
  const countBy = (key: 'fromAccountId' | 'ownerId') =>
    [...Map.groupBy(pending, (transfer) => transfer[key])]
      .map(([id, of]) => ({ id, pending: of.length, of }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expect(await counted('source')).toEqual(
    countBy('fromAccountId').map(({ id, pending }) => ({ id, pending, sources: 0 })),
  );
  expect(await counted('owner')).toEqual(
    countBy('ownerId').map(({ id, pending, of }) => ({
      id,
      pending,
      sources: new Set(of.map(({ fromAccountId }) => fromAccountId)).size,
    })),
  );
  for (const transfer of pending) await verdict('finish_transfer', transfer);
  expect(await counted('source')).toEqual([]);
  expect(await counted('owner')).toEqual([]);
});

it('a source’s first transfer comes after as many as its owner has sources, however many of another wait', async () => {
  const start = async (transferId: string, fromAccountId: string, ownerId: string) => {
    expect(await verdict('start_transfer', { transferId, fromAccountId, ownerId })).toBeNull();
    return turnOf(transferId);
  };
  const turns: number[] = [];
  for (let n = 0; n < 50; n += 1) turns.push(await start(`many-${n}`, 'cat-1', 'cat'));
  expect(turns).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  expect(await start('other', 'cat-2', 'cat')).toBe(2);
  expect(await start('third', 'cat-3', 'cat')).toBe(3);
  expect(await start('other-second', 'cat-2', 'cat')).toBe(6);
  expect(await start('of-somebody', 'dan-1', 'dan')).toBe(1);
});

it('an owner without pending transfers has no source, also where one source’s transfers have two owners', async () => {
  const counts = async () =>
    (
      await on.postgres.query<{ id: string; pending: number; sources: number }>(
        `SELECT id, pending, sources FROM transfer_counts WHERE scope = 'owner' AND id LIKE '%eve%' ORDER BY id`,
      )
    ).rows;
  // Processes of earlier versions name no owner.
  expect(await verdict('start_transfer', { transferId: 'eve-a', fromAccountId: 'eve-1' })).toBeNull();
  expect(
    await verdict('start_transfer', { transferId: 'eve-b', fromAccountId: 'eve-1', ownerId: 'eve' }),
  ).toBeNull();
  for (const transferId of ['eve-a', 'eve-b'])
    expect(await verdict('finish_transfer', { transferId })).toBeNull();
  expect(await counts()).toEqual([
    { id: 'account eve-1', pending: 0, sources: 0 },
    { id: 'eve', pending: 0, sources: 0 },
  ]);
});

it('an account whose pending transfers were removed by hand can close once they are counted again', async () => {
  const close = () => verdict('close_account', { accountId: 'fay-1' });
  for (const transferId of ['fay-a', 'fay-b', 'fay-c'])
    await verdict('start_transfer', { transferId, fromAccountId: 'fay-1', ownerId: 'fay' });
  await verdict('start_transfer', { transferId: 'fay-d', fromAccountId: 'fay-2', ownerId: 'fay' });
  await on.postgres.query(`DELETE FROM outbox WHERE key ~ '^commerce.transfer:fay-[abc]$'`);
  expect(await close()).toMatchObject({ refuse: 'TRANSFERS_PENDING' });
  await on.postgres.query('SELECT recount_transfers()');
  expect(await close()).toBeNull();
  const { rows } = await on.postgres.query(
    `SELECT scope, id, pending, sources FROM transfer_counts WHERE id LIKE 'fay%' AND pending > 0 ORDER BY scope, id`,
  );
  expect(rows).toEqual([
    { scope: 'owner', id: 'fay', pending: 1, sources: 1 },
    { scope: 'source', id: 'fay-2', pending: 1, sources: 0 },
  ]);
  await verdict('finish_transfer', { transferId: 'fay-d' });
});
