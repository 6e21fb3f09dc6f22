import { expect } from 'vitest';
import { minorUnitsOf } from '../../src/domains/commerce/money.js';
import type { Postgres } from '../../src/platform/postgres/postgres.js';
import type { Answer } from './chaos-actions.js';

/** An event as it lies in the log. */
interface Stored {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the checks read whatever the log has, without the domain's readers
  readonly data: any;
  readonly causationId: string;
}

export async function readLog(postgres: Postgres): Promise<readonly Stored[]> {
  const { rows } = await postgres.query<Stored & { position: number }>(
    `SELECT global_position AS position, stream_id AS stream, stream_position AS version, event_type AS type, data,
      metadata ->> 'causationId' AS "causationId" FROM events ORDER BY global_position`,
  );
  return rows;
}

/** No gap anywhere; every command that was said to be accepted is there once, and no other is. */
export function expectNothingInvented(
  log: readonly Stored[],
  answers: readonly (Answer & { readonly commandId: string; readonly kind: string })[],
): void {
  expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
  const next = new Map<string, number>();
  for (const { stream, version } of log) {
    expect(version).toBe(next.get(stream) ?? 0);
    next.set(stream, version + 1);
  }
  const byCommand = new Map<string, Stored[]>();
  for (const event of log) {
    const [, id] = /"(w\d+-\d+)"\]$/.exec(event.causationId) ?? [];
    if (id) byCommand.set(id, [...(byCommand.get(id) ?? []), event]);
  }
  for (const { commandId, kind, version, codes } of answers) {
    const events = byCommand.get(commandId);
    if (version === null) {
      expect(codes).not.toEqual([]);
      expect(events, `${commandId} was refused`).toBeUndefined();
    } else if (events === undefined) {
      // Accepted, and there was nothing to change.
      expect(kind, commandId).toBe('setStatus');
    } else {
      expect(events.some((event) => event.version === version)).toBe(true);
      const streams = events.map(({ stream }) => stream);
      expect(new Set(streams).size, `${commandId} is there once`).toBe(streams.length);
    }
  }
}

/** Whatever the log has, in its order, no balance, shelf or credit was ever where it must not be. */
export function expectRulesHeld(log: readonly Stored[]): void {
  const { balances, inFlight, brought } = foldMoney(log);
  const held = [...balances.values()].reduce((sum, minor) => sum + minor, 0n);
  expect(held + inFlight).toBe(brought);
  expect(inFlight).toBe(0n);
  foldShelves(log);
  foldCredit(log);
}

/** Balances by account, money on its way, and what came from outside. */
function foldMoney(log: readonly Stored[]) {
  const balances = new Map<string, bigint>();
  let inFlight = 0n;
  let brought = 0n;
  for (const { stream, type, data } of log) {
    if (type !== 'MoneyDeposited' && type !== 'MoneyWithdrawn') continue;
    const sign = type === 'MoneyDeposited' ? 1n : -1n;
    const minor = sign * minorUnitsOf(data.amount, data.currency);
    const balance = (balances.get(stream) ?? 0n) + minor;
    expect(balance, stream).toBeGreaterThanOrEqual(0n);
    balances.set(stream, balance);
    if (data.transferId) inFlight -= minor;
    else brought += minor;
  }
  return { balances, inFlight, brought };
}

function foldShelves(log: readonly Stored[]): ReadonlyMap<string, { onHand: number; reserved: number }> {
  const shelves = new Map<string, { onHand: number; reserved: number }>();
  for (const { stream, type, data } of log) {
    if (!stream.startsWith('Product-')) continue;
    const shelf = shelves.get(stream) ?? { onHand: 0, reserved: 0 };
    if (type === 'ProductSaved') shelf.onHand = data.inStock;
    if (type === 'InventoryReserved') shelf.reserved += data.quantity;
    if (type === 'InventoryReleased') shelf.reserved -= data.quantity;
    if (type === 'InventoryShipped') {
      shelf.onHand -= data.quantity;
      shelf.reserved -= data.quantity;
    }
    expect(shelf.reserved, stream).toBeGreaterThanOrEqual(0);
    expect(shelf.reserved, stream).toBeLessThanOrEqual(shelf.onHand);
    shelves.set(stream, shelf);
  }
  return shelves;
}

const cents = (amount: string): number => Number(minorUnitsOf(amount, 'USD'));

function foldCredit(
  log: readonly Stored[],
): ReadonlyMap<string, { limit: number; owed: number; active: boolean }> {
  const credit = new Map<string, { limit: number; owed: number; active: boolean }>();
  for (const { type, data } of log) {
    if (type === 'CustomerRegistered')
      credit.set(data.customerId, { limit: cents(data.creditLimit), owed: 0, active: true });
    const customer = credit.get(data.customerId);
    if (!customer) continue;
    if (type === 'CustomerStatusSet') {
      customer.limit = cents(data.creditLimit);
      customer.active = data.isActive;
    }
    if (type === 'OrderPlaced') {
      expect(customer.active, data.customerId).toBe(true);
      customer.owed += cents(data.totalAmount);
      expect(customer.owed, data.customerId).toBeLessThanOrEqual(customer.limit);
    }
    if (type === 'OrderCancelled') customer.owed -= cents(data.totalAmount);
    if (type === 'PaymentRecorded') customer.owed -= cents(data.amount);
  }
  return credit;
}

/** What queries and guards read is what the log adds up to. */
export async function expectReadModelsEqualReplay(postgres: Postgres, log: readonly Stored[]): Promise<void> {
  const expectRows = async (sql: string, expected: readonly object[]): Promise<void> =>
    expect(inOneOrder((await postgres.query(sql)).rows), sql).toEqual(inOneOrder(expected));

  const { balances } = foldMoney(log);
  const accounts = log.filter(({ type }) => type === 'AccountCreated');
  await expectRows(
    `SELECT 'Account-' || account_id AS stream, balance, version,
      (SELECT coalesce(sum(amount), 0)::bigint FROM account_transactions t WHERE t.account_id = a.account_id) AS moved
      FROM accounts a`,
    accounts.map(({ stream }) => {
      const balance = Number(balances.get(stream) ?? 0n);
      const version = log.filter((event) => event.stream === stream).at(-1)!.version;
      return { stream, balance, version, moved: balance };
    }),
  );

  const shelves = [...foldShelves(log)].map(([stream, shelf]) => ({ stream, ...shelf }));
  for (const table of ['products', 'product_stock']) {
    await expectRows(
      `SELECT 'Product-' || product_id AS stream, on_hand AS "onHand", reserved FROM ${table}`,
      shelves,
    );
  }

  const owed = [...foldCredit(log)].map(([id, customer]) => ({ id, owed: customer.owed }));
  await expectRows('SELECT customer_id AS id, outstanding AS owed FROM customer_credit', owed);
  await expectRows('SELECT customer_id AS id, (outstanding * 100)::int AS owed FROM customers', owed);

  await expectRows('SELECT order_id AS id, status, total_amount AS total, version FROM orders', [
    ...foldOrders(log).values(),
  ]);

  const ended = log.flatMap(({ type, data }) => {
    const [, status] = /^Transfer(Completed|Refused|Compensated)$/.exec(type) ?? [];
    return status ? [{ id: data.transferId, status: status.toUpperCase() }] : [];
  });
  await expectRows('SELECT transfer_id AS id, status FROM transfers', ended);
}

const inOneOrder = (rows: readonly object[]): object[] =>
  rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

function foldOrders(log: readonly Stored[]): ReadonlyMap<string, object> {
  const orders = new Map<string, object>();
  const statuses = {
    OrderPlaced: 'CONFIRMED',
    OrderShipped: 'SHIPPED',
    OrderCancelled: 'CANCELLED',
  } as const;
  for (const { type, data, version } of log) {
    if (!Object.hasOwn(statuses, type)) continue;
    const { orderId: id, totalAmount: total } = data;
    const placed = orders.get(id) ?? { id, total };
    orders.set(id, { ...placed, status: statuses[type as keyof typeof statuses], version });
  }
  return orders;
}
