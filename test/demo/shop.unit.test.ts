import { describe, expect, it } from 'vitest';
import { balance } from '../../src/demo/ledger.js';
import { FRIENDS } from '../../src/demo/people.js';
import { all, cents, DAY, demo, events, history, NOW, type Of, read } from './demo-events.js';

describe('the shop of the demo data', () => {
  it('has only events that the schemas of their domain accept', () => {
    const strange = history.filter((event) => !read(event)).map(({ type }) => type);
    expect([...new Set(strange)].sort()).toEqual(['DemoLoaded', 'PostPublished']);
    for (const { streamId, fact } of events) {
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
    for (const { fact } of events) {
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
        events.filter(({ type }) => type === cause).map((event) => [event.data.orderId, event]),
      );
      const moved = new Map<unknown, number>();
      for (const { data, at, metadata } of events.filter(({ type }) => type === move)) {
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
