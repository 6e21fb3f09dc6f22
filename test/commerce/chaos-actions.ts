import fc from 'fast-check';
import type { Client } from '../support/client.js';
import { graphql } from '../support/generated/gql.js';

export const accounts = ['acc-0', 'acc-1', 'acc-2', 'acc-3'] as const;
/** Accounts that somebody closes sooner or later, perhaps while money is on its way to them. */
export const closable = Array.from({ length: 30 }, (_, n) => `acc-closable-${n}`);
export const customers = ['cust-0', 'cust-1', 'cust-2'] as const;
export const products = ['prod-0', 'prod-1', 'prod-2'] as const;
const PRICE = '7.50';

const account = fc.constantFrom(...accounts);
const target = fc.constantFrom(...accounts, ...closable);
const customer = fc.constantFrom(...customers);
const product = fc.constantFrom(...products);
const amount = fc.integer({ min: 1, max: 6_000 }).map((cents) => (cents / 100).toFixed(2));
const order = fc.integer({ min: 0, max: 400 });

/** One thing that a writer does. Most of it is possible, some of it is not. */
export const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('deposit' as const), account, amount }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), account, amount }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('transfer' as const), account, to: target, amount }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      order,
      customer,
      items: fc.array(fc.record({ product, quantity: fc.integer({ min: 1, max: 4 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), order }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ship' as const), order }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pay' as const), customer, amount }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('close' as const), account: fc.constantFrom(...closable) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('setStatus' as const),
      customer,
      isActive: fc.option(fc.boolean()),
      creditLimit: fc.option(amount),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('stock' as const),
      product,
      inStock: fc.integer({ min: 0, max: 60 }),
    }),
  },
);
export type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** What a writer was told. */
export interface Answer {
  readonly aggregateId: string | null;
  readonly version: number | null;
  readonly codes: readonly string[];
}

const documents = {
  createAccount: graphql(`mutation ChaosAccount($input: CreateAccountInput!) {
    result: createAccount(input: $input) { aggregateId version userErrors { code } } }`),
  registerCustomer: graphql(`mutation ChaosCustomer($input: RegisterCustomerInput!) {
    result: registerCustomer(input: $input) { aggregateId version userErrors { code } } }`),
  saveProduct: graphql(`mutation ChaosProduct($input: SaveProductInput!) {
    result: saveProduct(input: $input) { aggregateId version userErrors { code } } }`),
  deposit: graphql(`mutation ChaosDeposit($input: DepositInput!) {
    result: deposit(input: $input) { aggregateId version userErrors { code } } }`),
  withdraw: graphql(`mutation ChaosWithdraw($input: WithdrawInput!) {
    result: withdraw(input: $input) { aggregateId version userErrors { code } } }`),
  transfer: graphql(`mutation ChaosTransfer($input: TransferMoneyInput!) {
    result: transferMoney(input: $input) { aggregateId version userErrors { code } } }`),
  place: graphql(`mutation ChaosPlace($input: PlaceOrderInput!) {
    result: placeOrder(input: $input) { aggregateId version userErrors { code } } }`),
  cancel: graphql(`mutation ChaosCancel($input: CancelOrderInput!) {
    result: cancelOrder(input: $input) { aggregateId version userErrors { code } } }`),
  ship: graphql(`mutation ChaosShip($input: ShipOrderInput!) {
    result: shipOrder(input: $input) { aggregateId version userErrors { code } } }`),
  close: graphql(`mutation ChaosClose($input: CloseAccountInput!) {
    result: closeAccount(input: $input) { aggregateId version userErrors { code } } }`),
  setStatus: graphql(`mutation ChaosStatus($input: SetCustomerStatusInput!) {
    result: setCustomerStatus(input: $input) { aggregateId version userErrors { code } } }`),
  pay: graphql(`mutation ChaosPay($input: RecordPaymentInput!) {
    result: recordPayment(input: $input) { aggregateId version userErrors { code } } }`),
};

/** Accounts with some money, customers with some credit, products with some stock. */
export async function prepare(client: Client): Promise<void> {
  for (const accountId of accounts) {
    await client.run(documents.createAccount, { input: { accountId } });
    await client.run(documents.deposit, { input: { accountId, amount: '100' } });
  }
  for (const accountId of closable) await client.run(documents.createAccount, { input: { accountId } });
  for (const [index, customerId] of customers.entries()) {
    const name = { firstName: 'Cust', lastName: String(index), email: `c${index}@example.com` };
    await client.run(documents.registerCustomer, {
      input: { customerId, ...name, creditLimit: String(200 + 100 * index) },
    });
  }
  for (const productId of products) {
    await client.run(documents.saveProduct, {
      input: { productId, name: productId, unitPrice: PRICE, inStock: 40 },
    });
  }
}

/** Does it, under a command id. @throws where no answer came, or the server could not tell */
export async function perform(client: Client, step: Action, commandId: string): Promise<Answer> {
  const { result } = await ask(client, step, commandId);
  return {
    aggregateId: result.aggregateId ?? null,
    version: result.version ?? null,
    codes: result.userErrors.map(({ code }) => code),
  };
}

function ask(client: Client, step: Action, commandId: string) {
  switch (step.kind) {
    case 'deposit':
    case 'withdraw': {
      const { account: accountId, amount: moved } = step;
      return client.run(documents[step.kind], { input: { accountId, amount: moved, commandId } });
    }
    case 'transfer':
      return client.run(documents.transfer, {
        input: { fromAccountId: step.account, toAccountId: step.to, amount: step.amount, commandId },
      });
    case 'place':
      return client.run(documents.place, {
        input: {
          orderId: `order-${step.order}`,
          customerId: step.customer,
          items: step.items.map((item) => ({
            productId: item.product,
            quantity: item.quantity,
            price: PRICE,
          })),
          shippingAddress: { city: 'Bremen', zip: '28195' },
          commandId,
        },
      });
    case 'cancel':
      return client.run(documents.cancel, {
        input: { orderId: `order-${step.order}`, reason: 'changed my mind', commandId },
      });
    case 'ship':
      return client.run(documents.ship, {
        input: { orderId: `order-${step.order}`, trackingNumber: 'T1', commandId },
      });
    case 'pay':
      return client.run(documents.pay, {
        input: { customerId: step.customer, amount: step.amount, commandId },
      });
    case 'close':
      return client.run(documents.close, { input: { accountId: step.account, commandId } });
    case 'setStatus': {
      const { customer: customerId, isActive, creditLimit } = step;
      return client.run(documents.setStatus, { input: { customerId, isActive, creditLimit, commandId } });
    }
    case 'stock':
      return client.run(documents.saveProduct, {
        input: {
          productId: step.product,
          name: step.product,
          unitPrice: PRICE,
          inStock: step.inStock,
          commandId,
        },
      });
    default:
      return step satisfies never;
  }
}
