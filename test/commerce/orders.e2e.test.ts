import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const registerCustomer = graphql(`
  mutation RegisterCustomer($input: RegisterCustomerInput!) {
    registerCustomer(input: $input) { aggregateId version userErrors { code path } }
  }
`);
const saveProduct = graphql(`
  mutation SaveProduct($input: SaveProductInput!) {
    saveProduct(input: $input) { aggregateId version userErrors { code path } }
  }
`);
const placeOrder = graphql(`
  mutation PlaceOrder($input: PlaceOrderInput!) {
    placeOrder(input: $input) { aggregateId version userErrors { code message path } }
  }
`);
const shipOrder = graphql(`
  mutation ShipOrder($orderId: ID!, $trackingNumber: String!) {
    shipOrder(input: { orderId: $orderId, trackingNumber: $trackingNumber }) { version userErrors { code } }
  }
`);
const cancelOrder = graphql(`
  mutation CancelOrder($orderId: ID!, $reason: String!) {
    cancelOrder(input: { orderId: $orderId, reason: $reason }) { version userErrors { code } }
  }
`);
const orderOf = graphql(`
  query OrderOf($orderId: ID!, $afterVersion: Int) {
    order(orderId: $orderId, afterVersion: $afterVersion) {
      id orderId customerId customerName customerEmail status totalAmount shippingAddress version
      items { productId productName quantity unitPrice lineTotal }
      trackingNumber cancellationReason
    }
  }
`);
const ordersOf = graphql(`
  query OrdersOf($filter: OrderFilter) {
    orders(first: 10, filter: $filter) { edges { node { orderId status } } pageInfo { hasNextPage } }
  }
`);
const productOf = graphql(`
  query ProductOf($productId: ID!, $afterVersion: Int) {
    product(productId: $productId, afterVersion: $afterVersion) { inStock reserved available unitPrice }
  }
`);
const globalIds = graphql(`
  query GlobalIds($orderId: ID!, $customerId: ID!, $productId: ID!) {
    order(orderId: $orderId) { id __typename }
    customer(customerId: $customerId) { id __typename }
    product(productId: $productId) { id __typename }
  }
`);
const nodesOf = graphql(`query NodesOf($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }`);
const orderUpdates = graphql(`
  subscription OrderUpdates($orderId: ID!, $after: String) {
    orderUpdated(orderId: $orderId, after: $after) { cursor order { status version trackingNumber } }
  }
`);

let database: TestDatabase;
let redis: TestRedis;
let api: TestProcess;
let worker: TestProcess;
let buyer: Client;
let admin: Client;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  [api, worker] = await Promise.all([startApi(at), startWorker(at)]);
  [buyer, admin] = await Promise.all([signIn(api.url, 'buyer'), signIn(api.url, 'root', ['user', 'admin'])]);
  const customer = {
    customerId: 'cust-1',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
  };
  const { registerCustomer: registered } = await buyer.run(registerCustomer, { input: customer });
  const product = { productId: 'engine', name: 'Engine', unitPrice: '19.99', inStock: 10 };
  const { saveProduct: saved } = await admin.run(saveProduct, { input: product });
  expect([registered, saved]).toEqual([
    { aggregateId: 'cust-1', version: 0, userErrors: [] },
    { aggregateId: 'engine', version: 0, userErrors: [] },
  ]);
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  await Promise.all([database?.drop(), redis?.stop()]);
});

async function place(orderId: string, productId = 'engine'): Promise<void> {
  const { placeOrder: placed } = await buyer.run(placeOrder, {
    input: {
      orderId,
      customerId: 'cust-1',
      items: [{ productId, quantity: 2, price: '19.99' }],
      shippingAddress: { city: 'London', zip: 'W1' },
    },
  });
  expect(placed).toEqual({ aggregateId: orderId, version: 0, userErrors: [] });
}

/** How many subscriptions the api has begun. */
async function subscriptions(): Promise<number> {
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  const line =
    /^graphql_requests_total\{(?=[^}]*operation_type="subscription")(?=[^}]*outcome="ok").*\} (\d+)/m;
  return Number(line.exec(metrics)?.[1] ?? 0);
}

it('registering a customer without an id answers the generated id, and the same one on a repeat', async () => {
  const input = { firstName: 'Mary', lastName: 'Somerville', email: 'mary@example.com', commandId: 'join' };
  const { registerCustomer: first } = await buyer.run(registerCustomer, { input });
  expect(first).toEqual({ aggregateId: expect.any(String), version: 0, userErrors: [] });
  expect(await buyer.run(registerCustomer, { input })).toEqual({ registerCustomer: first });
});

describe('an order', () => {
  it('is placed, followed live, shipped, and read at the version that each command answered', async () => {
    await place('order-1');
    const { order } = await buyer.run(orderOf, { orderId: 'order-1', afterVersion: 0 });
    expect(order).toMatchObject({
      customerName: 'Ada Lovelace',
      customerEmail: 'ada@example.com',
      status: 'CONFIRMED',
      items: [
        { productId: 'engine', productName: 'Engine', quantity: 2, unitPrice: '19.99', lineTotal: '39.98' },
      ],
      totalAmount: '39.98',
      shippingAddress: expect.stringContaining('London'),
      version: 0,
    });

    const before = await subscriptions();
    const live = buyer.subscribe(orderUpdates, { orderId: 'order-1' });
    const shippedSeen = live.next();
    await expect.poll(subscriptions, { timeout: 10_000 }).toBe(before + 1);
    await buyer.run(orderOf, { orderId: 'order-1' });
    const { shipOrder: shipped } = await admin.run(shipOrder, {
      orderId: 'order-1',
      trackingNumber: '1Z999',
    });
    expect(shipped).toEqual({ version: 1, userErrors: [] });
    const update = (await shippedSeen).value!;
    expect(update.orderUpdated.order).toEqual({ status: 'SHIPPED', version: 1, trackingNumber: '1Z999' });
    await live.return();

    const { cancelOrder: cancelled } = await buyer.run(cancelOrder, { orderId: 'order-1', reason: 'lost' });
    expect(cancelled).toEqual({ version: 2, userErrors: [] });
    const after = update.orderUpdated.cursor;
    const resumed = buyer.subscribe(orderUpdates, { orderId: 'order-1', after });
    expect((await resumed.next()).value).toMatchObject({
      orderUpdated: { order: { status: 'CANCELLED', version: 2 } },
    });
    await resumed.return();
    expect(await buyer.run(orderOf, { orderId: 'order-1', afterVersion: 2 })).toMatchObject({
      order: { status: 'CANCELLED', cancellationReason: 'lost', trackingNumber: '1Z999' },
    });
  });

  it('is found by its global id, and so are its customer and its product', async () => {
    await place('order-node');
    await buyer.run(orderOf, { orderId: 'order-node', afterVersion: 0 });
    const named = await buyer.run(globalIds, {
      orderId: 'order-node',
      customerId: 'cust-1',
      productId: 'engine',
    });
    const objects = [named.order, named.customer, named.product];
    const ids = objects.map((object) => object!.id);
    expect(await buyer.run(nodesOf, { ids })).toEqual({ nodes: objects });
    const stranger = await signIn(api.url, 'stranger');
    expect(await stranger.run(nodesOf, { ids })).toEqual({ nodes: [null, null, named.product] });
  });

  it('reserves stock until it is cancelled', async () => {
    // Of nobody else's orders: those of the other tests may come to the read model at any moment.
    const productId = 'reserved-here';
    const input = { productId, name: 'Pump', unitPrice: '19.99', inStock: 10 };
    expect((await admin.run(saveProduct, { input })).saveProduct.userErrors).toEqual([]);
    const reserved = async () => (await buyer.run(productOf, { productId })).product?.reserved;
    await place('order-2', productId);
    await expect.poll(reserved, { timeout: 10_000 }).toBe(2);
    await buyer.run(cancelOrder, { orderId: 'order-2', reason: 'changed my mind' });
    await expect.poll(reserved, { timeout: 10_000 }).toBe(0);
    const { product } = await buyer.run(productOf, { productId });
    expect(product!.available).toBe(product!.inStock - product!.reserved);
  });

  it('is listed to its owner, by status', async () => {
    await place('order-3');
    await buyer.run(orderOf, { orderId: 'order-3', afterVersion: 0 });
    const { orders } = await buyer.run(ordersOf, { filter: { customerId: 'cust-1', status: 'CONFIRMED' } });
    expect(orders!.edges.map((edge) => edge.node.orderId)).toContain('order-3');
    expect(new Set(orders!.edges.map((edge) => edge.node.status))).toEqual(new Set(['CONFIRMED']));
    const stranger = await signIn(api.url, 'stranger');
    expect(await stranger.run(ordersOf, {})).toMatchObject({ orders: { edges: [] } });
    for (const orderId of ['order-3', 'order-that-is-not-there']) {
      const { data, errors } = await stranger.ask(orderOf, { orderId });
      expect([data?.order, errors]).toEqual([null, undefined]);
    }
  });

  it('that asks for too much is refused in the document’s words', async () => {
    const { placeOrder: refused } = await buyer.run(placeOrder, {
      input: {
        customerId: 'cust-1',
        items: [{ productId: 'engine', quantity: 1_000, price: 19.99 }],
        shippingAddress: { city: 'London', zip: 'W1' },
      },
    });
    expect(refused).toMatchObject({
      aggregateId: null,
      version: null,
      userErrors: [{ code: 'OUT_OF_STOCK', message: 'Out of stock' }],
    });
  });

  it('lives the same life over REST', async () => {
    const rest = async (client: Client, method: string, path: string, body?: object) => {
      const headers = { authorization: client.authorization, 'content-type': 'application/json' };
      const payload = body && { body: JSON.stringify(body) };
      const answer = await fetch(`${api.url}/api/${path}`, { method, headers, ...payload });
      return { status: answer.status, body: await answer.json() };
    };
    expect(
      await rest(buyer, 'POST', 'orders', {
        type: 'PlaceOrder',
        orderId: 'order-rest',
        customerId: 'cust-1',
        items: [{ productId: 'engine', quantity: 1, price: 19.99 }],
        shippingAddress: { city: 'London', zip: 'W1' },
      }),
    ).toEqual({ status: 201, body: { orderId: 'order-rest', version: 0 } });
    expect(await rest(buyer, 'GET', 'orders/order-rest?after_version=0')).toMatchObject({
      status: 200,
      body: { status: 'CONFIRMED', totalAmount: 19.99, version: 0 },
    });
    expect(await rest(admin, 'POST', 'orders/order-rest/ship', { trackingNumber: '1Z1' })).toEqual({
      status: 201,
      body: { version: 1 },
    });
    expect(await rest(buyer, 'POST', 'orders/order-rest/cancel', { reason: 'broken' })).toEqual({
      status: 201,
      body: { version: 2 },
    });
    expect(await rest(buyer, 'GET', 'orders/order-rest?after_version=2')).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED', trackingNumber: '1Z1', cancellationReason: 'broken', version: 2 },
    });
  });
});
