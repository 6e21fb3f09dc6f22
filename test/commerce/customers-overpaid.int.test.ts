import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { customerStream } from '../../src/domains/commerce/customer/events.js';
import { customers } from '../../src/projectors/commerce/customers.js';
import { cancelled, customerRegistered, placed, write, writeOrder } from './history.js';
import { type CommerceOnTest, checkpointOf, openCommerce, startProjector } from './with-commerce.js';

const MOST = '90071992547409.91';
let on: CommerceOnTest;

beforeAll(async () => {
  on = await openCommerce();
});
afterAll(() => on.close());

it('a customer whose paid orders are all cancelled is owed whatever that comes to, and can be read', async () => {
  const stream = customerStream('customer of ann');
  const orders = ['o1', 'o2', 'o3'];
  const ofMost = <Event extends ReturnType<typeof placed>>(event: Event) => ({
    ...event,
    data: { ...event.data, totalAmount: MOST },
  });
  await write(on.log, stream, [customerRegistered('ann')]);
  for (const id of orders) {
    await writeOrder(on.log, id, ofMost(placed(id, 'ann')));
    await write(on.log, stream, [
      {
        type: 'PaymentRecorded',
        data: { customerId: 'customer of ann', amount: MOST, reference: null, version: 1 },
      },
    ]);
  }
  const projector = startProjector(on, customers({ publish: async () => undefined }));
  // One event at a time: what is written is read back before the next.
  for (const [n, id] of orders.entries()) {
    const position = await writeOrder(on.log, id, ofMost(cancelled(id, 'ann')));
    await vi.waitFor(async () => expect(await checkpointOf(on, 'customers')).toBe(position), {
      timeout: 30_000,
      interval: 10,
    });
    const owed = ['-90071992547409.91', '-180143985094819.82', '-270215977642229.73'][n];
    const { rows } = await on.postgres.query('SELECT outstanding FROM customers');
    expect(rows).toEqual([{ outstanding: owed }]);
  }
  await projector.stop();
});
