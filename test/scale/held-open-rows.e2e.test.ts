import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsReader } from '../../src/domains/commerce/order/facts.js';
import { readStock } from '../../src/domains/commerce/product/stock.js';
import { findUsers, settleCelebrities } from '../../src/domains/feed/graph/users.js';
import { purgePosts } from '../../src/domains/feed/posts/purge.js';
import { systemClock } from '../../src/platform/clock.js';
import { createLookBack } from '../../src/platform/look-back.js';
import type { Postgres } from '../../src/platform/postgres/postgres.js';
import { DEAD, DUE_THEN, type HeldDatabase, openHeldDatabase, times } from './held-open-world.js';

let held: HeldDatabase;
let postgres: Postgres;
beforeAll(async () => {
  held = await openHeldDatabase('held_open_rows');
  ({ postgres } = held);
}, 120_000);
afterAll(() => held?.close());

const HUNDREDS = DEAD / 100;

/** Calls a guard as `append_commands` does. */
async function run(guard: string, args: unknown): Promise<void> {
  const { rows } = await postgres.query<{ verdict: unknown }>(
    'SELECT run_guard($1, $2, now(), 1) AS verdict',
    [guard, JSON.stringify(args)],
  );
  expect(rows[0]!.verdict).toBeNull();
}

/** The same a hundred times. */
const runHundred = (guard: string, args: string): Promise<unknown> =>
  postgres.query(`SELECT run_guard('${guard}', ${args}, now(), 1) FROM generate_series(1, 100) n`);

describe('while a transaction is held open, no more blocks are touched by', () => {
  it('orders of one product by one customer', async () => {
    const line = { productId: 'tea', quantity: 1, name: 'Tea', price: 1 };
    const order = { customerId: 'c', ownerId: 'ann', total: 1, lines: [line] };
    const save = { productId: 'tea', name: 'Tea', unitPrice: 1, onHand: 1_000_000 };
    const status = { customerId: 'c', userId: 'ann', isActive: true, creditLimit: 1_000_000 };
    await run('register_customer', { customerId: 'c', userId: 'ann', creditLimit: 0, highestTotal: null });
    const readFacts = createFactsReader(postgres);
    const wanted = {
      orderId: 'o',
      customerId: 'c',
      lines: [{ productId: 'tea', quantity: 1, price: '1.00' }],
    };
    await held.expectFlat(
      async () => {
        await run('save_product', save);
        await run('set_customer_status', status);
        await run('place_order', order);
        await run('place_order', order);
        await run('record_payment', { customerId: 'c', amount: 1 });
        await run('ship_order', { lines: [line] });
        await run('cancel_order', order);
        expect(await readStock(postgres, 'tea')).toMatchObject({ name: 'Tea' });
        expect(await readFacts(wanted as never)).toMatchObject({ customer: { userId: 'ann' } });
      },
      () =>
        times(HUNDREDS / 2, async () => {
          await runHundred('place_order', `'${JSON.stringify(order)}'`);
          await runHundred('cancel_order', `'${JSON.stringify(order)}'`);
        }),
    );
    const { rows } = await postgres.query<{ reserved: number; outstanding: number }>(
      'SELECT reserved, outstanding FROM product_stock, customer_credit',
    );
    expect(rows).toEqual([{ reserved: 0, outstanding: expect.any(Number) }]);
  });

  it('reading or following a user who gains thousands of followers', async () => {
    const celebrity = 100_000;
    await postgres.query(
      `INSERT INTO users (user_id, display_name, follower_count, is_celebrity)
       SELECT 'u' || n, 'U', CASE n WHEN 0 THEN $1::int ELSE 0 END, n = 0 FROM generate_series(0, $2::int + 1) n`,
      [celebrity, DEAD],
    );
    const deps = {
      postgres,
      relations: { pulledAuthorsChanged: async () => undefined },
      authors: { forget: async () => undefined },
      config: { celebrityFollowers: 10_000 },
    };
    const edge = { followerId: `u${DEAD + 1}`, followeeId: 'u0' };
    await held.expectFlat(
      async () => {
        await run('follow_user', edge);
        expect((await findUsers({ postgres }, ['u0', 'u1'])).length).toBe(2);
        await run('unfollow_user', edge);
        expect(await settleCelebrities(deps)).toEqual([]);
      },
      () =>
        times(HUNDREDS, (hundred) =>
          runHundred(
            'follow_user',
            `jsonb_build_object('followerId', 'u' || ${hundred} * 100 + n, 'followeeId', 'u0')`,
          ),
        ),
    );
    const [star] = await findUsers({ postgres }, ['u0']);
    expect(star!.followerCount).toBe(celebrity + DEAD);
  });

  it('looking for the Redis that is used, and saying that it is', async () => {
    const { sql } = await import('../../src/platform/cache/missed-writes.sql.js');
    const look = async () => {
      const { rows } = await postgres.query(sql.look, [null, '1:1:', 10]);
      return rows[0]!;
    };
    const use = async () => {
      const before = await look();
      await postgres.query(sql.noteUse, [before.epoch, before.uses]);
      expect((await look()).uses).toBe(before.uses! + 1);
    };
    await postgres.query(sql.acceptEpoch, ['run/1', null, null]);
    await held.expectFlat(use, () => times(DEAD / 20, use));
  });

  it('the purge of posts that were deleted', async () => {
    await postgres.query("INSERT INTO users (user_id, display_name) VALUES ('author', 'Author')");
    const lookBack = createLookBack();
    const purge = () =>
      purgePosts({ postgres, clock: systemClock, lookBack, removeMedia: async () => undefined });
    await held.expectFlat(purge, async () => {
      await postgres.query(
        `INSERT INTO posts (post_id, author_id, content, position, created_at, deleted_at)
         SELECT gen_random_uuid(), id, '', n, now(), ${DUE_THEN} - interval '24 hours'
         FROM users, generate_series(1, ${DEAD}) n WHERE user_id = 'author'`,
      );
      await postgres.query('DELETE FROM posts');
    });
  });
});
