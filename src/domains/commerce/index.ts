import type { Caller } from '../../platform/caller.js';
import type { Clock } from '../../platform/clock.js';
import type { Result } from '../../platform/errors.js';
import type { EventLog } from '../../platform/event-log/index.js';
import { createTurns } from '../../platform/event-log/turns.js';
import type { Ids } from '../../platform/ids.js';
import { type Connection, type PagingArguments, readPaging } from '../../platform/paging.js';
import type { Queryable } from '../../platform/postgres.js';
import type { WakeUpHub } from '../../platform/wake-ups.js';
import { readAccountAsOf } from './account/as-of.js';
import { type AuditEntry, readAudit } from './account/audit.js';
import {
  type CloseAccountInput,
  type CreateAccountInput,
  closeAccount,
  createAccount,
  type MoveMoneyInput,
  moveMoney,
} from './account/commands.js';
import { type AccountUpdate, followAccount } from './account/follow.js';
import { type AccountSummary, readAccount, readOwnAccounts } from './account/read.js';
import type { Accepted } from './command.js';
import { readCustomerAsOf } from './customer/as-of.js';
import { recordPayment, registerCustomer, setCustomerStatus } from './customer/commands.js';
import type {
  Customer,
  RecordPaymentInput,
  RegisterCustomerInput,
  SetCustomerStatusInput,
} from './customer/customer.js';
import { readCustomer, readCustomers } from './customer/read.js';
import { readOrderAsOf } from './order/as-of.js';
import { cancelOrder, placeOrder, shipOrder } from './order/commands.js';
import { createFactsReader } from './order/facts.js';
import { followOrder } from './order/follow.js';
import type {
  CancelOrderInput,
  Order,
  OrderFilter,
  OrderUpdate,
  PlaceOrderInput,
  ShipOrderInput,
} from './order/order.js';
import { readOrder, readOrders } from './order/read.js';
import { readProductAsOf } from './product/as-of.js';
import { saveProduct } from './product/commands.js';
import type { Product, SaveProductInput } from './product/product.js';
import { readProduct, readProducts } from './product/read.js';
import { readVersions } from './read-versions.js';
import type { PositionWait, Wait } from './read-your-writes.js';
import { createReplaySnapshots } from './replay-snapshots.js';
import { transferMoney } from './transfer/commands.js';
import { advanceTransfer } from './transfer/process.js';
import { readTransfer } from './transfer/read.js';
import type { Transfer, TransferMoneyInput } from './transfer/transfer.js';
import { createVersionWaits } from './version-waits.js';

export type { AuditEntry } from './account/audit.js';
export type { CloseAccountInput, CreateAccountInput, MoveMoneyInput } from './account/commands.js';
export type { AccountUpdate } from './account/follow.js';
export type { AccountSummary } from './account/read.js';
export type { Accepted } from './command.js';
export type * from './customer/customer.js';
export type * from './order/order.js';
export type * from './product/product.js';
export type { PositionWait, Wait } from './read-your-writes.js';
export { createForgetReplaySnapshots } from './replay-snapshots.js';
export type * from './transfer/transfer.js';
export { upcasters } from './upcasters.js';

type Command<Input> = (caller: Caller, input: Input) => Promise<Result<Accepted>>;
type Query<Model> = (caller: Caller, id: string, wait?: Wait) => Promise<Model | null>;
type Page<Item> = (caller: Caller, paging: PagingArguments) => Promise<Connection<Item>>;
type Follow<Update> = (
  hub: Pick<WakeUpHub, 'listen'>,
  caller: Caller,
  id: string,
  after: string | null,
  signal: AbortSignal,
) => AsyncGenerator<Update>;

/**
 * Event-sourced orders and accounts: commands decide and append; queries read what the projectors made of it.
 * What each command refuses with, and what each query throws, is said at the function of the same name.
 */
export interface Commerce {
  readonly registerCustomer: Command<RegisterCustomerInput>;
  readonly setCustomerStatus: Command<SetCustomerStatusInput>;
  readonly recordPayment: Command<RecordPaymentInput>;
  readonly saveProduct: Command<SaveProductInput>;
  readonly placeOrder: Command<PlaceOrderInput>;
  readonly shipOrder: Command<ShipOrderInput>;
  readonly cancelOrder: Command<CancelOrderInput>;
  readonly createAccount: Command<CreateAccountInput>;
  readonly deposit: Command<MoveMoneyInput>;
  readonly withdraw: Command<MoveMoneyInput>;
  readonly closeAccount: Command<CloseAccountInput>;
  readonly transferMoney: Command<TransferMoneyInput>;

  readonly order: Query<Order>;
  /** The order as it was at a moment, replayed from its stream. */
  orderAsOf(caller: Caller, orderId: string, asOf: Date): Promise<Order | null>;
  /** The caller's own; an admin's are everybody's. */
  orders(caller: Caller, paging: PagingArguments, filter?: OrderFilter): Promise<Connection<Order>>;
  readonly account: Query<AccountSummary>;
  /** The account as it was at a moment, replayed from its stream. */
  accountAsOf(caller: Caller, accountId: string, asOf: Date): Promise<AccountSummary | null>;
  /** The caller's own. */
  readonly accounts: Page<AccountSummary>;
  accountAudit(caller: Caller, accountId: string, paging: PagingArguments): Promise<Connection<AuditEntry>>;
  readonly transfer: Query<Transfer>;
  customer(caller: Caller, id: string, wait?: Wait, behind?: PositionWait): Promise<Customer | null>;
  /** The customer as they were at a moment, replayed from their stream and their orders'. */
  customerAsOf(
    caller: Caller,
    customerId: string,
    asOf: Date,
    wait: Omit<PositionWait, 'afterPosition'>,
  ): Promise<Customer | null>;
  /** The caller's own; an admin's are everybody's. */
  readonly customers: Page<Customer>;
  readonly product: Query<Product>;
  /** The product as it was at a moment, replayed from its stream. */
  productAsOf(caller: Caller, productId: string, asOf: Date): Promise<Product | null>;
  readonly products: Page<Product>;

  readonly followOrder: Follow<OrderUpdate>;
  readonly followAccount: Follow<AccountUpdate>;

  /** The worker's side: drives a transfer to its end; safe to be called again at any time. */
  advanceTransfer(transferId: string): Promise<void>;
}

export function createCommerce(deps: {
  postgres: Queryable;
  log: EventLog;
  ids: Ids;
  clock: Clock;
}): Commerce {
  const { postgres, log, clock } = deps;
  const writing = { ...deps, inTurn: createTurns(), readFacts: createFactsReader(postgres) };
  const replaying = { log, clock, inTurn: createTurns(), snapshots: createReplaySnapshots(postgres) };
  const reading = { postgres, waits: createVersionWaits((things) => readVersions(postgres, things)) };
  return {
    registerCustomer: (caller, input) => registerCustomer(writing, caller, input),
    setCustomerStatus: (caller, input) => setCustomerStatus(writing, caller, input),
    recordPayment: (caller, input) => recordPayment(writing, caller, input),
    saveProduct: (caller, input) => saveProduct(writing, caller, input),
    placeOrder: (caller, input) => placeOrder(writing, caller, input),
    shipOrder: (caller, input) => shipOrder(writing, caller, input),
    cancelOrder: (caller, input) => cancelOrder(writing, caller, input),
    createAccount: (caller, input) => createAccount(writing, caller, input),
    deposit: (caller, input) => moveMoney(writing, caller, 'deposit', input),
    withdraw: (caller, input) => moveMoney(writing, caller, 'withdraw', input),
    closeAccount: (caller, input) => closeAccount(writing, caller, input),
    transferMoney: (caller, input) => transferMoney(writing, caller, input),

    order: (caller, orderId, wait) => readOrder(reading, caller, orderId, wait),
    orderAsOf: (caller, orderId, asOf) => readOrderAsOf(replaying, caller, orderId, asOf),
    orders: async (caller, paging, filter) => readOrders(postgres, caller, readPaging(paging), filter ?? {}),
    account: (caller, accountId, wait) => readAccount(reading, caller, accountId, wait),
    accountAsOf: (caller, accountId, asOf) => readAccountAsOf(replaying, caller, accountId, asOf),
    accounts: async (caller, paging) => readOwnAccounts(postgres, caller, readPaging(paging)),
    accountAudit: async (caller, accountId, paging) => readAudit(log, caller, accountId, readPaging(paging)),
    transfer: (caller, transferId, wait) => readTransfer(reading, caller, transferId, wait),
    customer: (caller, customerId, wait, behind) => readCustomer(reading, caller, customerId, wait, behind),
    customerAsOf: (caller, customerId, asOf, wait) =>
      readCustomerAsOf({ ...replaying, ...reading }, caller, customerId, asOf, wait),
    customers: async (caller, paging) => readCustomers(postgres, caller, readPaging(paging)),
    product: (caller, productId, wait) => readProduct(reading, caller, productId, wait),
    productAsOf: (caller, productId, asOf) => readProductAsOf(replaying, caller, productId, asOf),
    products: async (caller, paging) => readProducts(postgres, caller, readPaging(paging)),

    followOrder: (hub, caller, orderId, after, signal) =>
      followOrder(
        { log, hub, findOrder: (id) => readOrder(reading, caller, id) },
        caller,
        orderId,
        after,
        signal,
      ),
    followAccount: (hub, caller, accountId, after, signal) =>
      followAccount({ postgres, log, hub }, caller, accountId, after, signal),

    advanceTransfer: (transferId) => advanceTransfer(writing, transferId),
  };
}
