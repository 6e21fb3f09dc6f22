import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptedOf, codesOf, root } from './order-world.js';
import { type CommerceOnTest, callerNamed, ids, openCommerce } from './with-commerce.js';

let on: CommerceOnTest;
beforeAll(async () => {
  on = await openCommerce();
});
afterAll(() => on.close());

const person = { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com' };
const register = (name: string, creditLimit: string, caller = callerNamed(name)) =>
  on.commerce.registerCustomer(caller, { ...person, userId: name, customerId: ids.next(), creditLimit });

/** What is kept of a user, and what it should be; null: nothing is kept. */
async function totalsOf(userId: string) {
  const { rows } = await on.postgres.query<{ kept: string | null; real: string }>(
    `SELECT (SELECT credit_limits::text FROM customer_credit_totals WHERE user_id = $1) AS kept,
      (SELECT coalesce(sum(credit_limit), 0)::text FROM customer_credit WHERE user_id = $1) AS real`,
    [userId],
  );
  return rows[0]!;
}
const store = (userId: string, customers: number, creditLimit: number) =>
  on.postgres.query(
    `INSERT INTO customer_credit (customer_id, user_id, credit_limit)
     SELECT $1 || '-' || n, $1, $3 FROM generate_series(1, $2::int) n`,
    [userId, customers, creditLimit],
  );

it('what a user’s customers may owe together is kept through every change of a limit, by whomever', async () => {
  acceptedOf(await register('ann', '10'));
  expect(await totalsOf('ann')).toEqual({ kept: '1000', real: '1000' });
  const { aggregateId } = acceptedOf(await register('ann', '90000', root));
  expect(await totalsOf('ann')).toEqual({ kept: '9001000', real: '9001000' });
  expect(codesOf(await register('ann', '9990.01'))).toEqual(['CREDIT_LIMIT_FORBIDDEN input creditLimit']);
  acceptedOf(await register('ann', '9990'));
  expect(codesOf(await register('ann', '0.01'))).toEqual(['CREDIT_LIMIT_FORBIDDEN input creditLimit']);
  acceptedOf(await register('ann', '0'));
  acceptedOf(await on.commerce.setCustomerStatus(root, { customerId: aggregateId, creditLimit: '89999.99' }));
  acceptedOf(await on.commerce.setCustomerStatus(root, { customerId: aggregateId, isActive: false }));
  acceptedOf(await register('ann', '0.01'));
  expect(codesOf(await register('ann', '0.01'))).toEqual(['CREDIT_LIMIT_FORBIDDEN input creditLimit']);
  expect(await totalsOf('ann')).toEqual({ kept: '10000000', real: '10000000' });
});

it('of a user who had customers before there were totals, those count too', async () => {
  await store('ben', 3, 3_000_000);
  acceptedOf(await register('ben', '1', root));
  expect(await totalsOf('ben')).toMatchObject({ kept: null });
  expect(codesOf(await register('ben', '9999.01'))).toEqual(['CREDIT_LIMIT_FORBIDDEN input creditLimit']);
  acceptedOf(await register('ben', '9999'));
  expect(await totalsOf('ben')).toEqual({ kept: '10000000', real: '10000000' });
});

it('however many customers a user has, registering another reads none of them', async () => {
  await store('cat', 2_000, 0);
  acceptedOf(await register('cat', '1'));
  const read = await on.postgres.transaction(async (tx) => {
    const readSoFar = async () => {
      const { rows } = await tx.query<{ read: number }>(
        `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'customer_credit'`,
      );
      return rows[0]!.read;
    };
    // As in an append.
    await tx.query('SET LOCAL enable_seqscan = off');
    const before = await readSoFar();
    await tx.query(`SELECT run_guard('register_customer', $1, now(), 1)`, [
      { customerId: ids.next(), userId: 'cat', creditLimit: 100, highestTotal: 10_000_000 },
    ]);
    return (await readSoFar()) - before;
  });
  expect(read).toBeLessThan(10);
});
