import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerStream, readCustomerEvent } from '../../src/domains/commerce/customer/events.js';
import {
  acceptedOf,
  alice,
  bob,
  codesOf,
  newCustomer,
  newProduct,
  orderOf,
  outstandingOf,
  root,
} from './order-world.js';
import { type CommerceOnTest, callerNamed, ids, joinCommerce, openCommerce } from './with-commerce.js';

let on: CommerceOnTest;
let elsewhere: CommerceOnTest;
const person = { firstName: 'Alice', lastName: 'Liddell', email: 'alice@example.com' };

beforeAll(async () => {
  on = await openCommerce();
  elsewhere = joinCommerce(on.url);
});
afterAll(async () => {
  await elsewhere.close();
  await on.close();
});

async function creditOf(customerId: string) {
  const { rows } = await on.postgres.query(
    'SELECT customer_id, user_id, is_active, credit_limit, outstanding FROM customer_credit WHERE customer_id = $1',
    [customerId],
  );
  return rows[0];
}
const lastEventOf = async (customerId: string) =>
  readCustomerEvent((await on.log.readStream(customerStream(customerId))).at(-1)!);

/** Alice's, registered by an event of the first schema version, before there was credit. */
async function oldCustomer(...more: { type: string; data: { [key: string]: string | number | boolean } }[]) {
  const customerId = ids.next();
  const data = { name: 'Alice Liddell', email: 'a@example.com', version: 1 };
  const events = [{ type: 'CustomerRegistered', data }, ...more];
  await on.log.append({
    appends: [{ streamId: customerStream(customerId), expected: 'none', events }],
    metadata: { correlationId: 'old', causationId: 'old', userId: 'alice' },
  });
  return customerId;
}

describe('a customer who was registered before there was credit', () => {
  it('can order, pay and order again without anything else', async () => {
    const [customerId, productId] = [await oldCustomer(), await newProduct(on)];
    const order = orderOf(customerId, { [productId]: 4 });
    acceptedOf(await on.commerce.placeOrder(alice, order));
    expect(await creditOf(customerId)).toMatchObject({
      user_id: 'alice',
      is_active: true,
      credit_limit: 100_000,
      outstanding: 1_000,
    });
    expect(await on.log.readStream(customerStream(customerId))).toHaveLength(1);
    acceptedOf(await on.commerce.recordPayment(root, { customerId, amount: '10' }));
    acceptedOf(await on.commerce.placeOrder(alice, order));
    expect(await outstandingOf(on, customerId)).toBe(1_000);
  });

  it('is opened credit once, however many orders from two processes need it', async () => {
    const [customerId, productId] = [await oldCustomer(), await newProduct(on)];
    const order = orderOf(customerId, { [productId]: 1 });
    const orders = await Promise.all(
      [on, elsewhere, on, elsewhere].map(({ commerce }) => commerce.placeOrder(alice, order)),
    );
    expect(orders.flatMap(codesOf)).toEqual([]);
    expect(await outstandingOf(on, customerId)).toBe(1_000);
  });

  it('a customer from before credit existed orders within the limit set since, and nothing where inactive or of another user', async () => {
    const set = (isActive: boolean) => ({
      type: 'CustomerStatusSet',
      data: { customerId: 'old', isActive, creditLimit: '9.99', version: 1 },
    });
    const productId = await newProduct(on);
    const place = async (customerId: string, caller = alice) =>
      codesOf(await on.commerce.placeOrder(caller, orderOf(customerId, { [productId]: 4 })));
    expect(await place(await oldCustomer(set(false)))).toEqual(['INACTIVE_CUSTOMER input customerId']);
    expect(await place(await oldCustomer(set(true)))).toEqual(['CREDIT_LIMIT_EXCEEDED input customerId']);
    expect(await place(await oldCustomer(), bob)).toEqual(['CUSTOMER_NOT_FOUND input customerId']);
    expect(await place('nobody')).toEqual(['CUSTOMER_NOT_FOUND input customerId']);
  });

  it('a customer from before credit existed owes nothing, and setting an unchanged status creates their credit row', async () => {
    const customerId = await oldCustomer();
    const paid = await on.commerce.recordPayment(root, { customerId, amount: '1' });
    expect(codesOf(paid)).toEqual(['PAYMENT_TOO_LARGE input amount']);
    const set = await on.commerce.setCustomerStatus(root, { customerId, isActive: true });
    expect(acceptedOf(set).version).toBe(0);
    expect(await creditOf(customerId)).toMatchObject({ user_id: 'alice', credit_limit: 100_000 });
  });
});

describe('registerCustomer', () => {
  it('creates a credit row for the caller, with the default limit unless they ask for another', async () => {
    const customerId = ids.next();
    const registered = acceptedOf(await on.commerce.registerCustomer(alice, { ...person, customerId }));
    expect(registered).toMatchObject({ aggregateId: customerId, version: 0 });
    expect(await lastEventOf(customerId)).toEqual({
      type: 'CustomerRegistered',
      data: { ...person, customerId, userId: 'alice', creditLimit: '1000.00', version: 2 },
    });
    expect(await creditOf(customerId)).toEqual({
      customer_id: customerId,
      user_id: 'alice',
      is_active: true,
      credit_limit: 100_000,
      outstanding: 0,
    });
    const none = ids.next();
    acceptedOf(await on.commerce.registerCustomer(alice, { ...person, customerId: none, creditLimit: '0' }));
    expect(await creditOf(none)).toMatchObject({ credit_limit: 0 });
  });

  it('happens once an id, from two processes', async () => {
    const customerId = ids.next();
    const results = await Promise.all(
      [on, elsewhere, on, elsewhere].map(({ commerce }) =>
        commerce.registerCustomer(alice, { ...person, customerId }),
      ),
    );
    expect(results.flatMap(codesOf)).toEqual(Array(3).fill('CUSTOMER_EXISTS input customerId'));
  });

  it('makes up an id where none is given, and answers a repeat with the same', async () => {
    const input = { ...person, commandId: ids.next() };
    const first = await on.commerce.registerCustomer(alice, input);
    expect(await creditOf(acceptedOf(first).aggregateId)).toMatchObject({ user_id: 'alice' });
    expect(await elsewhere.commerce.registerCustomer(alice, input)).toEqual(first);
  });

  it('lets a user’s customers owe so much together and no more, from two processes, unless an admin says so', async () => {
    const greedy = callerNamed('greedy');
    const register = (caller: typeof root, creditLimit: string, { commerce } = on) =>
      commerce.registerCustomer(caller, { ...person, userId: 'greedy', creditLimit });
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, n) => register(greedy, '10000', n % 2 ? elsewhere : on)),
    );
    expect(results.flatMap(codesOf)).toEqual(Array(2).fill('CREDIT_LIMIT_FORBIDDEN input creditLimit'));
    expect(codesOf(await register(greedy, '0.01'))).toEqual(['CREDIT_LIMIT_FORBIDDEN input creditLimit']);
    acceptedOf(await register(root, '10000'));
    acceptedOf(await register(greedy, '0'));
    acceptedOf(await on.commerce.registerCustomer(alice, { ...person, creditLimit: '10000' }));
  });

  it('names every fault and appends nothing', async () => {
    const head = await on.log.head();
    const register = async (change: object) =>
      codesOf(await on.commerce.registerCustomer(alice, { ...person, customerId: 'c', ...change }));
    expect(
      await register({
        customerId: '',
        commandId: '',
        userId: ' ',
        firstName: '',
        lastName: 'x'.repeat(101),
        email: 'a@b',
        creditLimit: '-1',
      }),
    ).toEqual([
      'ID_INVALID input customerId',
      'ID_INVALID input commandId',
      'ID_INVALID input userId',
      'NAME_INVALID input firstName',
      'NAME_INVALID input lastName',
      'EMAIL_INVALID input email',
      'CREDIT_LIMIT_INVALID input creditLimit',
    ]);
    for (const creditLimit of ['0.001', '90071992547409.92']) {
      expect(await register({ creditLimit })).toEqual(['CREDIT_LIMIT_INVALID input creditLimit']);
    }
    for (const email of ['', 'a b@c.de', 'a\0@c.de', 'a@c', 'a@-c.de', '@c.de', `a@${'c.'.repeat(160)}de`]) {
      expect(await register({ email })).toEqual(['EMAIL_INVALID input email']);
    }
    expect(await register({ userId: 'bob' })).toEqual(['FORBIDDEN input userId']);
    expect(await register({ creditLimit: '10000.01' })).toEqual(['CREDIT_LIMIT_FORBIDDEN input creditLimit']);
    expect(await on.log.head()).toBe(head);
  });
});

describe('setCustomerStatus', () => {
  it('sent again answers the version of its first try, also where that changed nothing and the customer has changed since', async () => {
    const customerId = await newCustomer(on);
    const same = { customerId, isActive: true, commandId: ids.next() };
    const first = acceptedOf(await on.commerce.setCustomerStatus(root, same));
    expect(first.version).toBe(0);
    acceptedOf(await on.commerce.setCustomerStatus(root, { customerId, isActive: false }));
    expect(acceptedOf(await on.commerce.setCustomerStatus(root, same))).toEqual(first);
    expect(acceptedOf(await elsewhere.commerce.setCustomerStatus(root, same))).toEqual(first);
  });

  it('sets what is given, keeps the rest, and writes nothing where nothing differs', async () => {
    const customerId = await newCustomer(on);
    const set = async (change: object) =>
      acceptedOf(await on.commerce.setCustomerStatus(root, { customerId, ...change }));
    expect((await set({ isActive: false })).version).toBe(1);
    expect((await set({ creditLimit: '5.5' })).version).toBe(2);
    expect(await lastEventOf(customerId)).toMatchObject({ data: { isActive: false, creditLimit: '5.50' } });
    expect(await creditOf(customerId)).toMatchObject({ is_active: false, credit_limit: 550 });
    expect((await set({ isActive: false, creditLimit: '5.50' })).version).toBe(2);
    expect(await on.log.readStream(customerStream(customerId))).toHaveLength(3);
  });

  it('is the admin’s, for customers that there are, and asks for a change', async () => {
    const customerId = await newCustomer(on);
    const set = async (caller: typeof root, change: object) =>
      codesOf(await on.commerce.setCustomerStatus(caller, { customerId, ...change }));
    expect(await set(alice, { isActive: false })).toEqual(['FORBIDDEN input customerId']);
    expect(await set(root, { isActive: false, customerId: 'none' })).toEqual([
      'CUSTOMER_NOT_FOUND input customerId',
    ]);
    expect(await set(root, {})).toEqual(['NOTHING_TO_CHANGE input']);
    expect(await set(root, { creditLimit: '-1', customerId: '' })).toEqual([
      'ID_INVALID input customerId',
      'CREDIT_LIMIT_INVALID input creditLimit',
    ]);
  });

  it('works on a customer of the first schema version, who can order from then on', async () => {
    const customerId = await oldCustomer();
    const again = { ...person, customerId };
    expect(codesOf(await on.commerce.registerCustomer(alice, again))).toEqual([
      'CUSTOMER_EXISTS input customerId',
    ]);
    const set = await on.commerce.setCustomerStatus(root, { customerId, creditLimit: '10' });
    expect(acceptedOf(set).version).toBe(1);
    expect(await creditOf(customerId)).toMatchObject({
      user_id: 'alice',
      is_active: true,
      credit_limit: 1_000,
    });
    const productId = await newProduct(on);
    acceptedOf(await on.commerce.placeOrder(alice, orderOf(customerId, { [productId]: 4 })));
    expect(await outstandingOf(on, customerId)).toBe(1_000);
  });
});

describe('recordPayment', () => {
  const owing = async (): Promise<string> => {
    const [customerId, productId] = [await newCustomer(on), await newProduct(on)];
    acceptedOf(await on.commerce.placeOrder(alice, orderOf(customerId, { [productId]: 4 })));
    return customerId;
  };

  it('lowers what the customer owes, to nothing and no further', async () => {
    const customerId = await owing();
    const pay = (amount: string) =>
      on.commerce.recordPayment(root, { customerId, amount, reference: 'wire' });
    expect(acceptedOf(await pay('9.99')).version).toBe(1);
    expect(await lastEventOf(customerId)).toEqual({
      type: 'PaymentRecorded',
      data: { customerId, amount: '9.99', reference: 'wire', version: 1 },
    });
    const head = await on.log.head();
    expect(codesOf(await pay('0.02'))).toEqual(['PAYMENT_TOO_LARGE input amount']);
    expect(await on.log.head()).toBe(head);
    acceptedOf(await pay('0.01'));
    expect(await outstandingOf(on, customerId)).toBe(0);
  });

  it('sent again pays once, also where nothing is owed any more', async () => {
    const customerId = await owing();
    const input = { customerId, amount: '10', commandId: ids.next() };
    const first = await on.commerce.recordPayment(root, input);
    expect(first.ok).toBe(true);
    expect(await elsewhere.commerce.recordPayment(root, input)).toEqual(first);
    expect(await outstandingOf(on, customerId)).toBe(0);
    expect(codesOf(await on.commerce.recordPayment(root, { ...input, amount: '9' }))).toEqual([
      'COMMAND_ID_REUSED input commandId',
    ]);
  });

  it('is the admin’s, for customers that there are', async () => {
    const customerId = await owing();
    const pay = async (caller: typeof root, change: object = {}) =>
      codesOf(await on.commerce.recordPayment(caller, { customerId, amount: '1', ...change }));
    expect(await pay(alice)).toEqual(['FORBIDDEN input customerId']);
    expect(await pay(bob)).toEqual(['FORBIDDEN input customerId']);
    expect(await pay(root, { customerId: 'none' })).toEqual(['CUSTOMER_NOT_FOUND input customerId']);
    expect(await pay(root, { amount: '0', reference: 'x'.repeat(201) })).toEqual([
      'REFERENCE_INVALID input reference',
      'AMOUNT_NOT_POSITIVE input amount',
    ]);
    expect(await pay(root, { amount: '0.001' })).toEqual(['AMOUNT_TOO_PRECISE input amount']);
  });
});
