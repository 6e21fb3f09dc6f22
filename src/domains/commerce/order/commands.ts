import { type Caller, metadataOf, scopedCommandId } from '../../../platform/auth/caller.js';
import { ok, type Result } from '../../../platform/errors.js';
import { appendDecided } from '../../../platform/event-log/execute.js';
import { type Accepted, actorOf, type CommandDeps, type Optional } from '../command.js';
import { adoptCustomer } from '../customer/adopt.js';
import { execute as executeOnOne, type Request } from '../execute.js';
import { bodiesOf } from '../money.js';
import { orderIdRule, reasonRule, trackingNumberRule } from '../rules.js';
import { orderAggregate } from './aggregate.js';
import { checkPlacing, type PlaceOrderInput } from './check.js';
import type { OrderCommand } from './decide.js';
import { type OrderEvent, orderStream } from './events.js';
import type { ReadFacts } from './facts.js';
import type { KeptFacts } from './kept-facts.js';
import { decidePlacing, type PlacingFacts } from './place.js';
import { besideOrder, explainPlacing, planPlacing } from './plan.js';
import type { OrderState } from './state.js';

const orders = {
  aggregate: orderAggregate,
  streamOf: orderStream,
  field: 'orderId',
  idRule: orderIdRule,
};

export interface ShipOrderInput {
  readonly orderId: string;
  readonly trackingNumber: string;
  readonly commandId?: Optional<string>;
}

export interface CancelOrderInput {
  readonly orderId: string;
  readonly reason: string;
  readonly commandId?: Optional<string>;
}

/**
 * Places an order for a customer of the caller's; an admin's, for anybody's. Its stock is reserved and the customer
 * owes its total from then on.
 *
 * Refuses with what `checkPlacing` (the input by itself), then `decidePlacing` (the document's rules, in its order)
 * refuse with, and with what `appendDecided` does.
 */
export async function placeOrder(
  deps: CommandDeps & { readonly facts: KeptFacts },
  caller: Caller,
  input: PlaceOrderInput,
): Promise<Result<Accepted>> {
  const checked = checkPlacing(input);
  if (!checked.ok) return checked;
  const { lines, shippingAddress } = checked.value;
  const { customerId } = input;
  const orderId = input.orderId ?? deps.ids.next();
  const commandId = scopedCommandId(caller, 'placeOrder', input.commandId ?? deps.ids.next());
  const wanted = { orderId, customerId, lines };
  let kept = deps.facts.find(wanted);
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
      const command = { ...wanted, actor: actorOf(caller), shippingAddress, timestamp: timestampOf(deps) };
      if (kept) {
        const placement = decidePlacing(command, kept);
        const facts = kept;
        // Where what follows from it does not hold, the next decision is by what is read.
        kept = undefined;
        if (placement.ok) return ok(planPlacing(placement.value, facts));
      }
      const facts = await readFacts(deps, caller, commandId, wanted);
      const placement = decidePlacing(command, facts);
      return placement.ok ? ok(planPlacing(placement.value, facts)) : placement;
    },
    explain(refusal) {
      deps.facts.forget(wanted);
      return explainPlacing(refusal, lines);
    },
  });
  if (!appended.ok) return appended;
  const { versions, position, value } = appended.value;
  // A repeat without an order's id gets the id that was made for the first.
  const aggregateId = String(value.orderId);
  return ok({ aggregateId, version: versions[orderStream(aggregateId)]!, position });
}

/** What the order depends on, its customer adopted where they were registered before there was credit. */
async function readFacts(
  deps: CommandDeps & { readonly facts: KeptFacts },
  caller: Caller,
  commandId: string,
  wanted: Parameters<ReadFacts>[0],
): Promise<PlacingFacts> {
  const facts = await deps.facts.read(wanted);
  if (facts.customer) return facts;
  const adopted = await adoptCustomer(deps, caller, wanted.customerId, commandId);
  return adopted.ok ? deps.facts.read(wanted) : facts;
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
    id: orderId,
    commandId,
    checks: [[trackingNumberRule, trackingNumber, 'trackingNumber']],
    body: { orderId, trackingNumber },
    command: ok({
      kind: 'shipOrder',
      actor: actorOf(caller),
      orderId,
      trackingNumber,
      timestamp: timestampOf(deps),
    }),
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
    id: orderId,
    commandId,
    checks: [[reasonRule, reason, 'reason']],
    body: { orderId, reason },
    command: ok({
      kind: 'cancelOrder',
      actor: actorOf(caller),
      orderId,
      reason,
      timestamp: timestampOf(deps),
    }),
  });
}

const execute = (
  deps: CommandDeps,
  caller: Caller,
  request: Omit<Request<OrderState, OrderCommand, OrderEvent>, 'beside'>,
): Promise<Result<Accepted>> =>
  executeOnOne(deps, caller, orders, {
    ...request,
    beside: ([event], state) => besideOrder(event!, state),
  });

const timestampOf = ({ clock }: Pick<CommandDeps, 'clock'>): string => new Date(clock.now()).toISOString();
