import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const openShop = graphql(`
  mutation OpenShop($customerId: ID!, $productId: ID!) {
    registerCustomer(input: { customerId: $customerId, firstName: "Ada", lastName: "L", email: "ada@example.com" }) {
      version
      customer { id customerId firstName isActive version }
      userErrors { code }
    }
    saveProduct(input: { productId: $productId, name: "Tea", unitPrice: "2.50", inStock: 10 }) {
      version
      product { id productId name inStock version }
      userErrors { code }
    }
    setCustomerStatus(input: { customerId: $customerId, creditLimit: "500" }) {
      version
      customer { creditLimit version }
      userErrors { code }
    }
  }
`);
const orderLife = graphql(`
  mutation OrderLife($orderId: ID!, $customerId: ID!, $productId: ID!) {
    placeOrder(input: {
      orderId: $orderId, customerId: $customerId, items: [{ productId: $productId, quantity: 2, price: "2.50" }]
      shippingAddress: { city: "London", zip: "W1" }
    }) { version order { id orderId status totalAmount items { quantity } version } userErrors { code } }
    shipOrder(input: { orderId: $orderId, trackingNumber: "T-1" }) {
      version order { status trackingNumber version } userErrors { code }
    }
    cancelOrder(input: { orderId: $orderId, reason: "late" }) {
      version order { status cancellationReason version } userErrors { code }
    }
    recordPayment(input: { customerId: $customerId, amount: "1.00" }) {
      version customer { version } userErrors { code }
    }
  }
`);
const moneyMoves = graphql(`
  mutation MoneyMoves($from: ID!, $to: ID!, $empty: ID!) {
    one: createAccount(input: { accountId: $from }) { version account { id accountId balance version } userErrors { code } }
    two: createAccount(input: { accountId: $to }) { account { balance } userErrors { code } }
    three: createAccount(input: { accountId: $empty }) { userErrors { code } }
    deposit(input: { accountId: $from, amount: "12.50" }) { version account { balance version } userErrors { code } }
    withdraw(input: { accountId: $from, amount: "2.50" }) { version account { balance version } userErrors { code } }
    transferMoney(input: { fromAccountId: $from, toAccountId: $to, amount: "4.00" }) {
      aggregateId transfer { transferId fromAccountId toAccountId amount } userErrors { code }
    }
    closeAccount(input: { accountId: $empty }) { account { status } userErrors { code } }
  }
`);
const refusedDeposit = graphql(`
  mutation RefusedDeposit($accountId: ID!) {
    deposit(input: { accountId: $accountId, amount: "-1" }) {
      version account { balance } userErrors { code codeEnum path }
    }
  }
`);
const twoDeposits = graphql(`
  mutation TwoDeposits($accountId: ID!) {
    first: deposit(input: { accountId: $accountId, amount: "1" }) { version account { balance } userErrors { code } }
    second: deposit(input: { accountId: $accountId, amount: "1" }) { version account { balance } userErrors { code } }
  }
`);
const balanceOf = graphql(`
  query BalanceOf($accountId: ID!, $afterVersion: Int) {
    account(accountId: $accountId, afterVersion: $afterVersion) { id balance }
  }
`);
const owedOrder = graphql(`
  mutation OwedOrder($input: PlaceOrderInput!) { placeOrder(input: $input) { version position userErrors { code } } }
`);
const owedBy = graphql(`
  query OwedBy($customerId: ID!, $afterPosition: String) {
    customer(customerId: $customerId, afterPosition: $afterPosition) { outstandingBalance version }
  }
`);
const nodesById = graphql(`query NodesById($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }`);

let database: TestDatabase;
let redis: TestRedis;
let api: TestProcess;
let worker: TestProcess;
let admin: Client;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  [api, worker] = await Promise.all([startApi(at), startWorker(at)]);
  admin = await signIn(api.url, 'root', ['user', 'admin']);
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  await Promise.all([database?.drop(), redis?.stop()]);
});

describe('the payload of a command', () => {
  it('has the customer, the product and the order as the command left them', async () => {
    const ids = { customerId: 'ada', productId: 'tea' };
    const shop = await admin.run(openShop, ids);
    expect(shop).toMatchObject({
      registerCustomer: { version: 0, customer: { customerId: 'ada', firstName: 'Ada', isActive: true } },
      saveProduct: { version: 0, product: { productId: 'tea', name: 'Tea', inStock: 10, version: 0 } },
      setCustomerStatus: { version: 1, customer: { creditLimit: '500.00', version: 1 } },
    });
    const life = await admin.run(orderLife, { ...ids, orderId: 'o-1' });
    expect(life).toMatchObject({
      placeOrder: { version: 0, order: { orderId: 'o-1', totalAmount: '5.00', items: [{ quantity: 2 }] } },
      shipOrder: { version: 1, order: { status: 'SHIPPED', trackingNumber: 'T-1', version: 1 } },
      cancelOrder: { version: 2, order: { status: 'CANCELLED', cancellationReason: 'late', version: 2 } },
      recordPayment: { userErrors: [{ code: 'PAYMENT_TOO_LARGE' }], customer: null },
    });
    const found = [
      shop.registerCustomer.customer!.id,
      shop.saveProduct.product!.id,
      life.placeOrder.order!.id,
    ];
    expect((await admin.run(nodesById, { ids: found })).nodes).toEqual([
      { __typename: 'Customer', id: found[0] },
      { __typename: 'Product', id: found[1] },
      { __typename: 'Order', id: found[2] },
    ]);
    // The same commands again, by the global ids of what they are about.
    const again = await admin.run(orderLife, { customerId: found[0]!, productId: found[1]!, orderId: 'o-2' });
    expect(again.placeOrder).toMatchObject({ order: { orderId: 'o-2' }, userErrors: [] });
  });

  it('has the position behind which the balance of the customer has the order', async () => {
    const item = { productId: 'tea', quantity: 1, price: '2.50' };
    const input = { customerId: 'ada', items: [item], shippingAddress: { city: 'London', zip: 'W1' } };
    const balances: number[] = [];
    for (let order = 0; order < 4; order += 1) {
      const { position, userErrors } = (await admin.run(owedOrder, { input })).placeOrder;
      expect(userErrors).toEqual([]);
      const { customer } = await admin.run(owedBy, { customerId: 'ada', afterPosition: position });
      balances.push(Number(customer!.outstandingBalance));
    }
    // What the customer owes of earlier tests the first answer has: its position is behind all of them.
    expect(balances).toEqual([0, 2.5, 5, 7.5].map((more) => balances[0]! + more));
    await expect(admin.run(owedBy, { customerId: 'ada', afterPosition: 'soon' })).rejects.toThrow(
      'afterPosition is no position',
    );
  });

  it('has the account and the transfer, however many commands one operation has', async () => {
    const moved = await admin.run(moneyMoves, { from: 'a', to: 'b', empty: 'c' });
    expect(moved).toMatchObject({
      one: { version: 0, account: { accountId: 'a', balance: '0.00', version: 0 } },
      two: { account: { balance: '0.00' } },
      deposit: { version: 1, account: { balance: '12.50', version: 1 } },
      withdraw: { version: 2, account: { balance: '10.00', version: 2 } },
      transferMoney: {
        transfer: {
          transferId: moved.transferMoney.aggregateId,
          fromAccountId: 'a',
          toAccountId: 'b',
          amount: '4.00',
        },
      },
      closeAccount: { account: { status: 'CLOSED' } },
    });
  });

  it('has no object where the command was refused, and says why in an enum too', async () => {
    const { deposit } = await admin.run(refusedDeposit, { accountId: 'a' });
    expect(deposit).toEqual({
      version: null,
      account: null,
      userErrors: [
        { code: 'AMOUNT_NOT_POSITIVE', codeEnum: 'AMOUNT_NOT_POSITIVE', path: ['input', 'amount'] },
      ],
    });
  });

  it('is no error where the read model does not come in time: the command is accepted', async () => {
    await worker.kill('SIGKILL');
    const answer = await admin.run(twoDeposits, { accountId: 'a' });
    expect(answer).toMatchObject({
      first: { account: null, userErrors: [] },
      second: { account: null, userErrors: [] },
    });
    await worker.restart();
    const { id } = (await admin.run(balanceOf, { accountId: 'a', afterVersion: answer.second.version }))
      .account!;
    expect(await admin.run(balanceOf, { accountId: id })).toMatchObject({ account: { id } });
  });
});
