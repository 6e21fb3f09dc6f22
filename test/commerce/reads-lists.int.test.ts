import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCustomers } from '../../src/domains/commerce/customer/read.js';
import { readOrders } from '../../src/domains/commerce/order/read.js';
import { readProducts } from '../../src/domains/commerce/product/read.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import { type Connection, encodeCursor, type PagingArguments } from '../../src/platform/paging.js';
import { alice, bob, openReadsWorld, type ReadsWorld, root } from './reads-world.js';
import { type CommerceOnTest, callerNamed } from './with-commerce.js';

let world: ReadsWorld;
let on: CommerceOnTest;
beforeAll(async () => {
  world = await openReadsWorld();
  ({ on } = world);
});
afterAll(() => world.close());

/** Reads a list to its end, two at a time, and back to its beginning. */
async function bothWays<Item>(
  read: (paging: PagingArguments) => Promise<Connection<Item>>,
  idOf: (item: Item) => string,
) {
  const there: string[] = [];
  const back: string[] = [];
  let page = await read({ first: 2 });
  for (; ; page = await read({ first: 2, after: page.pageInfo.endCursor })) {
    there.push(...page.edges.map(({ node }) => idOf(node)));
    if (!page.pageInfo.hasNextPage) break;
  }
  page = await read({ last: 2 });
  for (; ; page = await read({ last: 2, before: page.pageInfo.startCursor })) {
    back.unshift(...page.edges.map(({ node }) => idOf(node)));
    if (!page.pageInfo.hasPreviousPage) break;
  }
  expect(back).toEqual(there);
  return there;
}

describe('lists', () => {
  const ordersOf = (caller: Caller, filter = {}) =>
    bothWays(
      (paging) => on.commerce.orders(caller, paging, filter),
      ({ orderId }) => orderId,
    );

  it('of orders are the caller’s own, an admin’s everybody’s; the newest first, in pages both ways', async () => {
    const carol = callerNamed('carol');
    expect(await ordersOf(bob)).toEqual(['o5']);
    expect(await ordersOf(carol)).toEqual([]);
    const own = (await ordersOf(alice)).filter((id) => id.startsWith('o'));
    expect(own).toEqual(['o4', 'o3', 'o2', 'o1']);
    const all = (await ordersOf(root)).filter((id) => id.startsWith('o'));
    expect(all).toEqual(['o5', 'o4', 'o3', 'o2', 'o1']);
  });

  it('of orders can be of one customer and of one status', async () => {
    expect(await ordersOf(alice, { customerId: 'c2' })).toEqual(['o2']);
    expect(await ordersOf(root, { customerId: 'c3' })).toEqual(['o5']);
    expect(await ordersOf(alice, { customerId: 'c3' })).toEqual([]);
    expect(await ordersOf(alice, { customerId: '\0' })).toEqual([]);
    expect(await ordersOf(alice, { status: 'CANCELLED' })).toEqual(['o2']);
    expect(await ordersOf(bob, { status: 'CANCELLED' })).toEqual([]);
    const confirmed = (await ordersOf(root, { status: 'CONFIRMED' })).filter((id) => id.startsWith('o'));
    expect(confirmed).toEqual(['o5', 'o4', 'o3']);
    expect(await ordersOf(root, { status: 'CONFIRMED', customerId: 'c3' })).toEqual(['o5']);
    expect(await ordersOf(root, { status: 'SHIPPED', customerId: 'c3' })).toEqual([]);
    expect(await ordersOf(alice, { status: 'CANCELLED', customerId: 'c2' })).toEqual(['o2']);
    expect(await ordersOf(bob, { status: 'CANCELLED', customerId: 'c2' })).toEqual([]);
    expect(await ordersOf(alice, { customerId: 'nobody' })).toEqual([]);
  });

  it('of customers are the caller’s own, an admin’s everybody’s; products are for all', async () => {
    const customersOf = (caller: Caller) =>
      bothWays(
        (paging) => on.commerce.customers(caller, paging),
        ({ customerId }) => customerId,
      );
    expect(await customersOf(alice)).toEqual(['c1', 'c2']);
    expect(await customersOf(bob)).toEqual(['c3']);
    expect(await customersOf(root)).toEqual(['c1', 'c2', 'c3']);
    const products = await bothWays(
      (paging) => on.commerce.products(bob, paging),
      ({ productId }) => productId,
    );
    expect(products).toEqual(['p1', 'p2', 'p3']);
  });

  it('take no cursor but their own', async () => {
    const far = encodeCursor('orders', 8.64e15, 'o1');
    for (const after of [
      'nonsense',
      ...['customers', 'products'].map((list) => encodeCursor(list, 'a\0')),
      encodeCursor('orders', 1, '\0'),
      encodeCursor('orders', -1, 'o1'),
      encodeCursor('accounts', 'a'),
      far,
    ]) {
      const refused = { code: 'BAD_CURSOR' };
      await expect(on.commerce.orders(alice, { after })).rejects.toMatchObject(refused);
      await expect(on.commerce.customers(alice, { after })).rejects.toMatchObject(refused);
      await expect(on.commerce.products(alice, { after })).rejects.toMatchObject(refused);
    }
  });

  it('of orders of one status pass over no others, however rare it is', async () => {
    const plans: string[] = [];
    for (const direction of ['forward', 'backward'] as const) {
      for (const cursor of [null, encodeCursor('orders', 5, 'o')]) {
        for (const caller of [root, alice]) {
          const page = { direction, limit: 20, cursor };
          await readOrders(explainingTo(plans), caller, page, { status: 'SHIPPED' });
        }
      }
    }
    expect(plans).toHaveLength(8);
    for (const plan of plans) {
      expect(plan).toMatch(/Index Cond: .*status\)::text = .*ROW\(placed_at/);
      expect(plan).not.toMatch(/Seq Scan|Sort|Filter/);
    }
  });

  it('of orders of one customer pass over none of another status, and read none of another’s customer', async () => {
    const plans: string[] = [];
    for (const direction of ['forward', 'backward'] as const) {
      for (const cursor of [null, encodeCursor('orders', 5, 'o')]) {
        for (const caller of [root, alice]) {
          const page = { direction, limit: 20, cursor };
          await readOrders(explainingTo(plans), caller, page, { customerId: 'c1' });
          await readOrders(explainingTo(plans), caller, page, { customerId: 'c1', status: 'SHIPPED' });
        }
      }
    }
    expect(plans).toHaveLength(16);
    for (const [number, plan] of plans.entries()) {
      expect(plan).toMatch(
        number % 2 === 0 ? /Index Cond: .*ROW\(placed_at/ : /Index Cond: .*status\)::text = .*ROW\(placed_at/,
      );
      // The owner is a condition of the whole, and of no row.
      expect(plan).not.toMatch(/Seq Scan|Sort|(?<!One-Time )Filter/);
    }
  });

  it('begin at their cursor in an index, however far it lies', async () => {
    const plans: string[] = [];
    const explaining = explainingTo(plans);
    const place = encodeCursor('orders', 5, 'o');
    for (const direction of ['forward', 'backward'] as const) {
      for (const cursor of [null, place]) {
        await readOrders(explaining, root, { direction, limit: 20, cursor }, {});
        await readOrders(explaining, alice, { direction, limit: 20, cursor }, {});
        await readOrders(explaining, alice, { direction, limit: 20, cursor }, { customerId: 'c1' });
      }
      for (const isFirst of [true, false]) {
        const of = (list: string) => (isFirst ? null : encodeCursor(list, 'o'));
        await readCustomers(explaining, root, { direction, limit: 20, cursor: of('customers') });
        await readCustomers(explaining, alice, { direction, limit: 20, cursor: of('customers') });
        await readProducts(explaining, alice, { direction, limit: 20, cursor: of('products') });
      }
    }
    expect(plans).toHaveLength(24);
    for (const plan of plans) {
      expect(plan).toMatch(/Index Cond: .*(ROW\(placed_at|customer_id\)::text [<>]|product_id\)::text [<>])/);
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    }
  });
});

/** A database that tells how it would answer, and answers nothing. */
const explainingTo = (plans: string[]) =>
  ({
    async query(statement: { text: string }, values: readonly unknown[]) {
      plans.push(await keptPlanOf(statement.text, values));
      return { rows: [] };
    },
  }) as never;

/** The plan that a connection keeps for a statement, whatever its parameters. */
async function keptPlanOf(text: string, values: readonly unknown[]): Promise<string> {
  const literals = values.map((value) => {
    if (value === null || typeof value === 'number') return String(value);
    return `'${value instanceof Date ? value.toISOString() : value}'`;
  });
  return on.postgres.transaction(async (tx) => {
    await tx.query('SET LOCAL plan_cache_mode = force_generic_plan');
    // As if the tables were large.
    await tx.query('SET LOCAL enable_seqscan = off');
    await tx.query('SET LOCAL enable_bitmapscan = off');
    await tx.query('SET LOCAL enable_sort = off');
    await tx.query(`PREPARE kept AS ${text}`);
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE kept(${literals})`);
    await tx.query('DEALLOCATE kept');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}
