import { describe, expect, it } from 'vitest';
import { type DemoEvent, makeHistory } from '../../src/demo/history.js';
import { balance } from '../../src/demo/ledger.js';
import { makeDemo } from '../../src/demo/make.js';
import { FRIENDS } from '../../src/demo/people.js';
import { accountAggregate } from '../../src/domains/commerce/account/aggregate.js';
import { accountEventTypes, readAccountEvent } from '../../src/domains/commerce/account/events.js';
import { customerEventTypes, readCustomerEvent } from '../../src/domains/commerce/customer/events.js';
import { upcasters } from '../../src/domains/commerce/index.js';
import { orderEventTypes, readOrderEvent } from '../../src/domains/commerce/order/events.js';
import { productEventTypes, readProductEvent } from '../../src/domains/commerce/product/events.js';
import { accountIdRule } from '../../src/domains/commerce/rules.js';
import { readTransferEvent, transferEventTypes } from '../../src/domains/commerce/transfer/events.js';

const NOW = Date.parse('2026-03-10T12:34:56.789Z');
const DAY = 86_400_000;
const demo = makeDemo(NOW);
const history = makeHistory(demo);

const readers = [
  [accountEventTypes, readAccountEvent],
  [customerEventTypes, readCustomerEvent],
  [orderEventTypes, readOrderEvent],
  [productEventTypes, readProductEvent],
  [transferEventTypes, readTransferEvent],
] as const;

/** As the log would hand it to a domain. */
function read(event: DemoEvent) {
  const data = upcasters[event.type]?.(event.data, event) ?? event.data;
  const reader = readers.find(([types]) => types.has(event.type))?.[1];
  return reader?.({ type: event.type, data });
}
type Read = NonNullable<ReturnType<typeof read>>;
type Of<Type extends string> = Extract<Read, { type: Type }>['data'];

const told = history.flatMap((event) => {
  const fact = read(event);
  return fact ? [{ ...event, fact }] : [];
});
const all = <Type extends Read['type']>(type: Type) =>
  told.filter(({ fact }) => fact.type === type).map(({ fact }) => fact.data as Of<Type>);
const cents = (amount: string): number => Math.round(Number(amount) * 100);

describe('the shop of the demo data', () => {
  it('has only events that the schemas of their domain accept', () => {
    const strange = history.filter((event) => !read(event)).map(({ type }) => type);
    expect([...new Set(strange)].sort()).toEqual(['DemoLoaded', 'PostPublished']);
    for (const { streamId, fact } of told) {
      const { orderId, customerId, productId, transferId } = fact.data as Record<string, unknown>;
      const id = { Order: orderId, Customer: customerId, Product: productId, Transfer: transferId }[
        streamId.split('-')[0]!
      ];
      if (id !== undefined) expect(streamId.slice(streamId.indexOf('-') + 1)).toBe(id);
    }
  });

  it('has customers of both schema versions, whose owners are found either way', () => {
    const stored = history.filter(({ type }) => type === 'CustomerRegistered');
    expect(stored).toHaveLength(150);
    const old = stored.filter(({ data }) => data.version === 1);
    expect(old).toHaveLength(50);
    expect(new Set(old.map(({ data }) => Object.keys(data).join()))).toEqual(
      new Set(['name,email,version', 'name,email,userId,creditLimit,version']),
    );
    const spaces = old.map(({ data }) => String(data.name).split(' ').length - 1);
    expect(new Set(spaces)).toEqual(new Set([0, 1, 2]));

    const users = new Map(demo.people.map((person) => [person.userId, person]));
    for (const { customerId, userId, firstName } of all('CustomerRegistered')) {
      expect(customerId).toBe(`cust-${userId}`);
      expect(users.get(userId)!.displayName.startsWith(firstName)).toBe(true);
    }
  });

  it('registers people who are there already, before they order', () => {
    const joined = new Map(demo.people.map(({ userId, createdAt }) => [userId, createdAt]));
    const early = demo.customers.filter(
      ({ userId, registered }) => registered.at < joined.get(userId)! || registered.at > NOW - 60 * DAY,
    );
    expect(early).toEqual([]);
  });

  it('sells to active customers within their limits what is there, at the price of the catalogue', () => {
    const stock = new Map<string, { name: string; unitPrice: string; onHand: number; reserved: number }>();
    const credit = new Map<string, { userId: string; active: boolean; limit: number; owes: number }>();
    for (const { fact } of told) {
      if (fact.type === 'ProductSaved') {
        const { productId, name, unitPrice, inStock } = fact.data;
        stock.set(productId, { name, unitPrice, onHand: inStock, reserved: 0 });
      }
      if (fact.type.startsWith('Inventory')) {
        const { productId, quantity } = fact.data as Of<'InventoryReserved'>;
        const shelf = stock.get(productId)!;
        shelf.reserved += fact.type === 'InventoryReserved' ? quantity : -quantity;
        if (fact.type === 'InventoryShipped') shelf.onHand -= quantity;
        expect(shelf.reserved).toBeGreaterThanOrEqual(0);
        expect(shelf.onHand).toBeGreaterThanOrEqual(shelf.reserved);
      }
      if (fact.type === 'CustomerRegistered') {
        const { customerId, userId, creditLimit } = fact.data;
        credit.set(customerId, { userId, active: true, limit: cents(creditLimit), owes: 0 });
      }
      if (fact.type === 'CustomerStatusSet') {
        const { customerId, isActive, creditLimit } = fact.data;
        Object.assign(credit.get(customerId)!, { active: isActive, limit: cents(creditLimit) });
      }
      if (fact.type === 'OrderPlaced') {
        const { customerId, ownerId, items, totalAmount } = fact.data;
        const customer = credit.get(customerId)!;
        customer.owes += cents(totalAmount);
        expect(customer).toMatchObject({ userId: ownerId, active: true });
        expect(customer.owes).toBeLessThanOrEqual(customer.limit);
        expect(items.reduce((sum, { lineTotal }) => sum + cents(lineTotal), 0)).toBe(cents(totalAmount));
        for (const { productId, productName: name, unitPrice, quantity, lineTotal } of items) {
          expect(stock.get(productId)).toMatchObject({ name, unitPrice });
          expect(cents(unitPrice) * quantity).toBe(cents(lineTotal));
        }
      }
      if (fact.type === 'PaymentRecorded' || fact.type === 'OrderCancelled') {
        const amount = 'amount' in fact.data ? fact.data.amount : fact.data.totalAmount;
        const customer = credit.get(fact.data.customerId)!;
        customer.owes -= cents(amount);
        expect(customer.owes).toBeGreaterThanOrEqual(0);
      }
    }

    const { stock: shelves, credit: owed } = balance(history);
    expect([...shelves].map(([id, { onHand, reserved }]) => [id, onHand, reserved])).toEqual(
      [...stock].map(([id, { onHand, reserved }]) => [id, onHand, reserved]),
    );
    expect(
      [...owed].map(([id, { isActive, creditLimit, outstanding }]) => [
        id,
        isActive,
        creditLimit,
        outstanding,
      ]),
    ).toEqual([...credit].map(([id, { active, limit, owes }]) => [id, active, BigInt(limit), BigInt(owes)]));
  });

  it('has orders of every fate in the last 60 days, some products sold out, and some customers who left', () => {
    expect(all('OrderPlaced')).toHaveLength(600);
    const times = all('OrderPlaced').map(({ timestamp }) => Date.parse(timestamp));
    expect(times.filter((time) => time < NOW - 60 * DAY || time > NOW)).toEqual([]);
    const fates = new Map<string, string>();
    for (const type of ['OrderPlaced', 'OrderShipped', 'OrderCancelled'] as const) {
      for (const { orderId } of all(type)) fates.set(orderId, `${fates.get(orderId) ?? ''} ${type}`.trim());
    }
    expect(new Set(fates.values())).toEqual(
      new Set([
        'OrderPlaced',
        'OrderPlaced OrderShipped',
        'OrderPlaced OrderCancelled',
        'OrderPlaced OrderShipped OrderCancelled',
      ]),
    );
    const { stock, credit } = balance(history);
    expect([...stock.values()].filter(({ onHand }) => onHand === 0).length).toBeGreaterThan(5);
    expect([...stock.values()].filter(({ reserved }) => reserved > 0).length).toBeGreaterThan(20);
    const left = [...credit.values()].filter(({ isActive }) => !isActive);
    expect(left.length).toBeGreaterThan(3);
    expect(left.length).toBeLessThan(15);
  });

  it('reserves, ships and releases what was ordered, together with the order', () => {
    const moves: Record<string, string> = {
      InventoryReserved: 'OrderPlaced',
      InventoryShipped: 'OrderShipped',
      InventoryReleased: 'OrderCancelled',
    };
    const ordered = new Map(
      all('OrderPlaced').map(({ orderId, items }) => [
        orderId,
        items.reduce((sum, { quantity }) => sum + quantity, 0),
      ]),
    );
    for (const [move, cause] of Object.entries(moves)) {
      const causes = new Map(
        told.filter(({ type }) => type === cause).map((event) => [event.data.orderId, event]),
      );
      const moved = new Map<unknown, number>();
      for (const { data, at, metadata } of told.filter(({ type }) => type === move)) {
        expect(causes.get(data.orderId)).toMatchObject({ at, metadata });
        moved.set(data.orderId, (moved.get(data.orderId) ?? 0) + Number(data.quantity));
      }
      for (const [orderId, quantity] of moved) expect(quantity).toBe(ordered.get(String(orderId)));
      if (move !== 'InventoryReleased') expect(moved.size).toBe(causes.size);
    }
    const shipped = new Set(all('OrderShipped').map(({ orderId }) => orderId));
    const released = new Set(all('InventoryReleased').map(({ orderId }) => orderId));
    for (const { orderId } of all('OrderCancelled'))
      expect(released.has(orderId)).toBe(!shipped.has(orderId));
  });

  it('leaves every friend an active customer who can still order', () => {
    const { credit } = balance(history);
    for (const { userId } of FRIENDS) {
      const { isActive, creditLimit, outstanding, ...whose } = credit.get(`cust-${userId}`)!;
      expect({ isActive, ...whose }).toEqual({ isActive: true, userId });
      expect(creditLimit - outstanding).toBeGreaterThanOrEqual(50_000n);
      expect(all('OrderPlaced').some(({ customerId }) => customerId === `cust-${userId}`)).toBe(true);
    }
  });
});

describe('the accounts of the demo data', () => {
  it('have only events that the account’s own rules accept, with and without transfers', () => {
    expect(demo.accounts).toHaveLength(200);
    expect(demo.accounts.filter(({ accountId }) => !accountIdRule.shape.test(accountId))).toEqual([]);
    for (const transfers of [demo.transfers, []]) {
      const states = new Map<string, typeof accountAggregate.initial>();
      for (const event of makeHistory({ ...demo, transfers })) {
        if (!event.streamId.startsWith('Account-')) continue;
        const before = states.get(event.streamId) ?? accountAggregate.initial;
        expect(before.status).not.toBe('CLOSED');
        const after = accountAggregate.evolve(before, readAccountEvent(event));
        expect(after.status !== 'UNKNOWN' && after.balance >= 0n).toBe(true);
        states.set(event.streamId, after);
      }
      const closed = [...states.values()].filter(({ status }) => status === 'CLOSED');
      expect(closed).toHaveLength(transfers.length > 0 ? 1 : 0);
    }
  });

  it('moves money between accounts of one currency without losing any, and leaves no transfer unfinished', () => {
    const accounts = new Map(demo.accounts.map((account) => [account.accountId, account]));
    const fates: Record<string, number> = {};
    for (const { transferId, fromAccountId, toAccountId, currency, ownerId, amount } of all(
      'TransferStarted',
    )) {
      expect(accounts.get(fromAccountId)).toMatchObject({ currency, ownerId });
      expect(accounts.get(toAccountId)).toMatchObject({ currency });
      const story = told.filter(({ data }) => data.transferId === transferId);
      const steps = story.map(({ type, streamId }) =>
        streamId.startsWith('Account-') ? `${type} ${streamId === `Account-${fromAccountId}`}` : type,
      );
      fates[steps.join()] = (fates[steps.join()] ?? 0) + 1;
      expect(new Set(story.map(({ data }) => data.amount))).toEqual(new Set([amount]));
      expect(new Set(story.map(({ metadata }) => metadata.correlationId)).size).toBe(1);
    }
    expect(fates).toEqual({
      'TransferStarted,MoneyWithdrawn true,TransferDebited,MoneyDeposited false,TransferCompleted': 40,
      'TransferStarted,TransferRefused': 1,
      'TransferStarted,MoneyWithdrawn true,TransferDebited,MoneyDeposited true,TransferCompensated': 1,
    });
  });

  it('refuses a transfer that the account could not have made, and returns one from an account that was closed', () => {
    const [{ fromAccountId, amount }] = all('TransferRefused') as [Of<'TransferRefused'>];
    const deposits = told.filter(
      ({ streamId, type }) => streamId === `Account-${fromAccountId}` && type === 'MoneyDeposited',
    );
    const ever = deposits.reduce((sum, { data }) => sum + cents(String(data.amount)), 0);
    expect(cents(amount)).toBeGreaterThan(ever);

    const [{ transferId, toAccountId }] = all('TransferCompensated') as [Of<'TransferCompensated'>];
    const order = told
      .filter(({ data, type, streamId }) =>
        type === 'AccountClosed' ? streamId === `Account-${toAccountId}` : data.transferId === transferId,
      )
      .map(({ type }) => type);
    expect(order.indexOf('AccountClosed')).toBe(order.indexOf('TransferDebited') + 1);
  });
});

describe('the correlation ids of the demo data', () => {
  it('gives each order and each transfer a correlation id of its own, and each command its cause', () => {
    const streams = new Map<string, Set<string>>();
    for (const { streamId, metadata } of told) {
      if (!/^(Order|Transfer)-/.test(streamId)) continue;
      expect(metadata.causationId.startsWith(`${metadata.correlationId}/`)).toBe(true);
      expect(metadata.userId).toBeTruthy();
      const known = streams.get(metadata.correlationId) ?? new Set();
      streams.set(metadata.correlationId, known.add(streamId));
    }
    expect(streams.size).toBe(642);
    expect([...streams.values()].filter(({ size }) => size !== 1)).toEqual([]);
    for (const { at, data } of told.filter(({ data }) => data.timestamp !== undefined)) {
      expect(Date.parse(String(data.timestamp))).toBe(at);
    }
  });

  it.each(['Product-prod-025', 'Customer-cust-alice', 'Account-acc-bob', 'Order-order-0042'])(
    'leaves out whole what is about %s if that is somebody’s own',
    (taken) => {
      const rest = makeHistory(demo, new Set([taken]));
      const dropped = new Set(
        history.filter(({ relatedStreams }) => relatedStreams.includes(taken)).map(({ type }) => type),
      );
      expect(dropped.size).toBeGreaterThan(1);
      expect(
        rest.filter(({ streamId, relatedStreams }) => streamId === taken || relatedStreams.includes(taken)),
      ).toEqual([]);

      const lengths = new Map<string, number>();
      for (const { streamId, streamPosition } of rest) {
        expect(streamPosition).toBe(lengths.get(streamId) ?? 0);
        lengths.set(streamId, streamPosition + 1);
      }
      // Nobody ships, pays or takes back what was never ordered.
      const { stock, credit } = balance(rest);
      for (const { onHand, reserved } of stock.values()) {
        expect(reserved >= 0 && reserved <= onHand).toBe(true);
      }
      for (const { outstanding } of credit.values()) expect(outstanding).toBeGreaterThanOrEqual(0n);
    },
  );
});
