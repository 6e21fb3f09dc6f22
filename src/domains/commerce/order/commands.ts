import { type Caller, metadataOf, scopedCommandId } from '../../../platform/caller.js';
import { ok, type Result, refusedAll } from '../../../platform/errors.js';
import { appendDecided, executeOn } from '../../../platform/event-log/execute.js';
import type { JsonObject } from '../../../platform/event-log/index.js';
import { type Accepted, actorOf, type CommandDeps, type Optional } from '../command.js';
import { adoptCustomer } from '../customer/adopt.js';
import { bodiesOf } from '../money.js';
import {
  type Check,
  checkAll,
  commandIdRule,
  orderIdRule,
  reasonRule,
  trackingNumberRule,
} from '../rules.js';
import { orderAggregate } from './aggregate.js';
import { checkPlacing } from './check.js';
import type { OrderCommand } from './decide.js';
import { orderStream } from './events.js';
import type { ReadFacts } from './facts.js';
import type { CancelOrderInput, PlaceOrderInput, ShipOrderInput } from './order.js';
import { decidePlacing, type PlacingFacts } from './place.js';
import { besideOrder, explainPlacing, planPlacing } from './plan.js';

/**
 * Places an order for a customer of the caller's; an admin's, for anybody's. Its stock is reserved and the customer
 * owes its total from then on.
 *
 * Refuses with what `checkPlacing` (the input by itself), then `decidePlacing` (the document's rules, in its order)
 * refuse with, and with what `appendDecided` does.
 */
export async function placeOrder(
  deps: CommandDeps & { readonly readFacts: ReadFacts },
  caller: Caller,
  input: PlaceOrderInput,
): Promise<Result<Accepted>> {
  const checked = checkPlacing(input);
  if (!checked.ok) return checked;
  const { lines, shippingAddress } = checked.value;
  const { customerId } = input;
  const orderId = input.orderId ?? deps.ids.next();
  const commandId = scopedCommandId(caller, 'placeOrder', input.commandId ?? deps.ids.next());
  const appended = await appendDecided(deps, {
    commandId,
    ...bodiesOf((spelled) => ({
      orderId: input.orderId ?? null,
      customerId,
      items: input.items.map(({ productId, quantity, price }) => ({
        productId,
        quantity,
        price: spelled(price),
      })),
      shippingAddress,
    })),
    metadata: metadataOf(caller, commandId),
    value: { orderId },
    async decide() {
      const facts = await readFacts(deps, caller, commandId, { orderId, customerId, lines });
      const actor = actorOf(caller);
      const timestamp = timestampOf(deps);
      const placement = decidePlacing(
        { actor, orderId, customerId, lines, shippingAddress, timestamp },
        facts,
      );
      return placement.ok ? ok(planPlacing(placement.value, facts)) : placement;
    },
    explain: (refusal) => explainPlacing(refusal, lines),
  });
  if (!appended.ok) return appended;
  const { versions, position, value } = appended.value;
  // A repeat without an order's id gets the id that was made for the first.
  const aggregateId = String(value.orderId);
  return ok({ aggregateId, version: versions[orderStream(aggregateId)]!, position });
}

/** What the order depends on, its customer adopted where they were registered before there was credit. */
async function readFacts(
  deps: CommandDeps & { readonly readFacts: ReadFacts },
  caller: Caller,
  commandId: string,
  wanted: Parameters<ReadFacts>[0],
): Promise<PlacingFacts> {
  const facts = await deps.readFacts(wanted);
  if (facts.customer) return facts;
  const adopted = await adoptCustomer(deps, caller, wanted.customerId, commandId);
  return adopted.ok ? deps.readFacts(wanted) : facts;
}

/**
 * Ships an order. For admins.
 *
 * Refuses with ID_INVALID, TRACKING_NUMBER_INVALID, FORBIDDEN, ORDER_NOT_FOUND, ORDER_CANCELLED, ORDER_SHIPPED,
 * and what `executeOn` refuses with.
 */
export async function shipOrder(
  deps: CommandDeps,
  caller: Caller,
  { orderId, trackingNumber, commandId }: ShipOrderInput,
): Promise<Result<Accepted>> {
  return execute(deps, caller, {
    orderId,
    commandId,
    check: [trackingNumberRule, trackingNumber, 'trackingNumber'],
    body: { orderId, trackingNumber },
    command: {
      kind: 'shipOrder',
      actor: actorOf(caller),
      orderId,
      trackingNumber,
      timestamp: timestampOf(deps),
    },
  });
}

/**
 * Cancels an order, also one that was shipped: the customer owes its total no more, and what has not been shipped can
 * be sold again. For the customer's user, or an admin.
 *
 * Refuses with ID_INVALID, REASON_INVALID, ORDER_NOT_FOUND (also of another user's), ORDER_CANCELLED, and what `executeOn` refuses
 * with.
 */
export async function cancelOrder(
  deps: CommandDeps,
  caller: Caller,
  { orderId, reason, commandId }: CancelOrderInput,
): Promise<Result<Accepted>> {
  return execute(deps, caller, {
    orderId,
    commandId,
    check: [reasonRule, reason, 'reason'],
    body: { orderId, reason },
    command: { kind: 'cancelOrder', actor: actorOf(caller), orderId, reason, timestamp: timestampOf(deps) },
  });
}

interface Request {
  readonly orderId: string;
  readonly commandId: Optional<string>;
  readonly check: Check;
  readonly body: JsonObject;
  readonly command: OrderCommand;
}

async function execute(deps: CommandDeps, caller: Caller, request: Request): Promise<Result<Accepted>> {
  const { orderId, command, body } = request;
  const faults = checkAll([
    [orderIdRule, orderId, 'orderId'],
    [commandIdRule, request.commandId ?? null, 'commandId'],
    request.check,
  ]);
  if (faults.length > 0) return refusedAll(faults);
  const commandId = scopedCommandId(caller, command.kind, request.commandId ?? deps.ids.next());
  const executed = await executeOn(deps, orderAggregate, {
    streamId: orderStream(orderId),
    command,
    commandId,
    body,
    metadata: metadataOf(caller, commandId),
    value: { orderId },
    beside: ([event], state) => besideOrder(event!, state),
  });
  if (!executed.ok) return executed;
  return ok({ aggregateId: orderId, version: executed.value.version, position: executed.value.position });
}

const timestampOf = ({ clock }: Pick<CommandDeps, 'clock'>): string => new Date(clock.now()).toISOString();
