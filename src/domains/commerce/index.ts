import type { Caller } from '../../platform/auth/caller.js';
import { bind } from '../../platform/bind.js';
import type { Clock } from '../../platform/clock.js';
import type { EventLog } from '../../platform/event-log/index.js';
import { createKeptStates } from '../../platform/event-log/kept-states.js';
import { createTurns } from '../../platform/event-log/turns.js';
import type { Ids } from '../../platform/ids.js';
import {
  type Connection,
  type PageRequest,
  type PagingArguments,
  readPaging,
} from '../../platform/paging.js';
import type { Queryable } from '../../platform/postgres/postgres.js';
import { type Replicas, withoutReplicas } from '../../platform/postgres/replicas/replicas.js';
import { readAccountAsOf } from './account/as-of.js';
import { readAudit } from './account/audit.js';
import * as accountCommands from './account/commands.js';
import { followAccount } from './account/follow.js';
import { readAccount, readAccounts } from './account/read.js';
import { readCustomerAsOf } from './customer/as-of.js';
import * as customerCommands from './customer/commands.js';
import { readCustomer, readCustomers } from './customer/read.js';
import { readOrderAsOf } from './order/as-of.js';
import * as orderCommands from './order/commands.js';
import { createFactsReader } from './order/facts.js';
import { followOrder } from './order/follow.js';
import { createKeptFacts } from './order/kept-facts.js';
import { readOrder, readOrders } from './order/read.js';
import { readProductAsOf } from './product/as-of.js';
import * as productCommands from './product/commands.js';
import { readProduct, readProducts } from './product/read.js';
import { readVersions } from './read-versions.js';
import { createReplaySnapshots } from './replay-snapshots.js';
import * as transferCommands from './transfer/commands.js';
import { advanceTransfer } from './transfer/process.js';
import { readTransfer } from './transfer/read.js';
import { createVersionWaits } from './version-waits.js';

export type { AuditEntry } from './account/audit.js';
export type { CloseAccountInput, CreateAccountInput, MoveMoneyInput } from './account/commands.js';
export type { AccountUpdate } from './account/follow.js';
export type { AccountSummary } from './account/view.js';
export type { Accepted } from './command.js';
export type * from './customer/customer.js';
export { commerceEventTypes } from './event-types.js';
export type { PlaceOrderInput } from './order/check.js';
export { MOST_ITEMS } from './order/check.js';
export type { CancelOrderInput, ShipOrderInput } from './order/commands.js';
export type { Order, OrderFilter, OrderStatus, OrderUpdate } from './order/order.js';
export type * from './product/product.js';
export type { PositionWait, Wait } from './read-your-writes.js';
export { createForgetReplaySnapshots } from './replay-snapshots.js';
export type * from './transfer/transfer.js';
export { upcasters } from './upcasters.js';

/**
 * Event-sourced orders and accounts: commands decide and append; queries read what the projectors made of it.
 * What each command refuses with, and what each query throws, is said at the function that is named here.
 */
export type Commerce = ReturnType<typeof createCommerce>;

export function createCommerce(deps: {
  postgres: Queryable;
  /** Where lists are read; the primary where absent. */
  replicas?: Pick<Replicas, 'query' | 'noteWrite'>;
  log: EventLog;
  ids: Ids;
  clock: Clock;
}) {
  const { postgres, replicas = withoutReplicas(postgres), log, clock } = deps;
  const writing = {
    ...deps,
    inTurn: createTurns(),
    kept: createKeptStates(),
    facts: createKeptFacts(createFactsReader(postgres)),
  };
  const reading = {
    postgres,
    replicas,
    log,
    waits: createVersionWaits((things) => readVersions(postgres, things)),
  };
  const replaying = { ...reading, clock, inTurn: createTurns(), snapshots: createReplaySnapshots(postgres) };
  return {
    // A command is what its `commands.ts` exports.
    ...bind(writing, { ...customerCommands, ...productCommands, ...orderCommands }),
    ...bind(writing, { ...accountCommands, ...transferCommands, advanceTransfer }),

    ...bind(reading, { order: readOrder, account: readAccount, transfer: readTransfer }),
    ...bind(reading, { customer: readCustomer, product: readProduct, followOrder, followAccount }),
    ...bind(replicas, { orders: paged(readOrders), customers: paged(readCustomers) }),
    ...bind(replicas, { products: paged(readProducts), accounts: paged(readAccounts) }),
    ...bind(log, { accountAudit: readAudit }),
    ...bind(replaying, { orderAsOf: readOrderAsOf, accountAsOf: readAccountAsOf }),
    ...bind(replaying, { customerAsOf: readCustomerAsOf, productAsOf: readProductAsOf }),
  };
}

/** A list as clients page it. @throws PublicError BAD_USER_INPUT, too */
const paged =
  <Deps, Rest extends readonly unknown[], Item>(
    read: (deps: Deps, caller: Caller, page: PageRequest, ...rest: Rest) => Promise<Connection<Item>>,
  ) =>
  async (deps: Deps, caller: Caller, paging: PagingArguments, ...rest: Rest): Promise<Connection<Item>> =>
    read(deps, caller, readPaging(paging), ...rest);
