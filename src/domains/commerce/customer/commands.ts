import { type Caller, metadataOf, scopedCommandId } from '../../../platform/caller.js';
import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import { executeOn } from '../../../platform/event-log/execute.js';
import type { JsonObject } from '../../../platform/event-log/index.js';
import { toStoredText } from '../../../platform/text.js';
import { type Accepted, actorOf, type CommandDeps, type Optional } from '../command.js';
import { bodiesOf, parseAmount, parseAmountOrZero } from '../money.js';
import {
  type Check,
  checkAll,
  commandIdRule,
  customerIdRule,
  emailRule,
  firstNameRule,
  lastNameRule,
  MAX_NAME,
  referenceRule,
  userIdRule,
} from '../rules.js';
import { DEFAULT_CREDIT_LIMIT, SHOP_CURRENCY } from '../shop.js';
import { customerAggregate } from './aggregate.js';
import { keepCredit, projectCredit } from './credit.js';
import type { RecordPaymentInput, RegisterCustomerInput, SetCustomerStatusInput } from './customer.js';
import { type CustomerCommand, creditTotalForbidden, customerExists, paymentTooLarge } from './decide.js';
import { customerStream } from './events.js';

/**
 * Registers a customer, who can order from then on.
 *
 * Refuses with ID_INVALID, NAME_INVALID, EMAIL_INVALID, CREDIT_LIMIT_INVALID, FORBIDDEN (for another user),
 * CREDIT_LIMIT_FORBIDDEN, CUSTOMER_EXISTS, and what `executeOn` refuses with.
 */
export async function registerCustomer(
  deps: CommandDeps,
  caller: Caller,
  input: RegisterCustomerInput,
): Promise<Result<Accepted>> {
  const { email } = input;
  const firstName = toStoredText(input.firstName, MAX_NAME);
  const lastName = toStoredText(input.lastName, MAX_NAME);
  const customerId = input.customerId ?? deps.ids.next();
  const userId = input.userId ?? caller.viewer.userId;
  const asked = input.creditLimit ?? null;
  return execute(deps, caller, {
    customerId,
    commandId: input.commandId,
    checks: [
      [userIdRule, userId, 'userId'],
      [firstNameRule, firstName, 'firstName'],
      [lastNameRule, lastName, 'lastName'],
      [emailRule, email, 'email'],
    ],
    amount: readCreditLimit(asked ?? DEFAULT_CREDIT_LIMIT),
    ...bodiesOf((spelled) => ({
      customerId: input.customerId ?? null,
      userId,
      firstName: input.firstName,
      lastName: input.lastName,
      email,
      creditLimit: asked && spelled(asked),
    })),
    command: (creditLimit) => ({
      kind: 'registerCustomer',
      actor: actorOf(caller),
      customerId,
      userId,
      firstName,
      lastName,
      email,
      creditLimit,
    }),
  });
}

/**
 * Sets whether a customer may order, and how much they may owe. For admins. What is set already is accepted without an event.
 *
 * Refuses with ID_INVALID, CREDIT_LIMIT_INVALID, NOTHING_TO_CHANGE (nothing was given), FORBIDDEN, CUSTOMER_NOT_FOUND,
 * and what `executeOn` refuses with.
 */
export async function setCustomerStatus(
  deps: CommandDeps,
  caller: Caller,
  input: SetCustomerStatusInput,
): Promise<Result<Accepted>> {
  const { customerId } = input;
  const isActive = input.isActive ?? null;
  const asked = input.creditLimit ?? null;
  const nothing = isActive === null && asked === null;
  const amount: Result<bigint | null> = asked === null ? ok(null) : readCreditLimit(asked);
  return execute(deps, caller, {
    customerId,
    commandId: input.commandId,
    checks: [],
    amount: nothing ? refused('NOTHING_TO_CHANGE', 'Give isActive, creditLimit, or both', ['input']) : amount,
    ...bodiesOf((spelled) => ({ customerId, isActive, creditLimit: asked && spelled(asked) })),
    command: (creditLimit) => ({
      kind: 'setCustomerStatus',
      actor: actorOf(caller),
      customerId,
      isActive,
      creditLimit,
    }),
  });
}

/**
 * Records that a customer has paid, which lowers what they owe. For admins.
 *
 * Refuses with ID_INVALID, REFERENCE_INVALID, AMOUNT_NOT_POSITIVE, AMOUNT_TOO_PRECISE, AMOUNT_TOO_LARGE, FORBIDDEN,
 * CUSTOMER_NOT_FOUND, PAYMENT_TOO_LARGE, and what `executeOn` refuses with.
 */
export async function recordPayment(
  deps: CommandDeps,
  caller: Caller,
  input: RecordPaymentInput,
): Promise<Result<Accepted>> {
  const { customerId } = input;
  const reference = input.reference ?? null;
  return execute(deps, caller, {
    customerId,
    commandId: input.commandId,
    checks: [[referenceRule, reference, 'reference']],
    amount: parseAmount(input.amount, SHOP_CURRENCY, ['input', 'amount']),
    ...bodiesOf((spelled) => ({ customerId, amount: spelled(input.amount), reference })),
    command: (amount) => ({
      kind: 'recordPayment',
      actor: actorOf(caller),
      customerId,
      amount,
      reference,
    }),
  });
}

/** What the inline projections refuse. */
const explained: Readonly<Record<string, Result<never>>> = {
  CUSTOMER_EXISTS: customerExists,
  CREDIT_LIMIT_FORBIDDEN: creditTotalForbidden,
  PAYMENT_TOO_LARGE: paymentTooLarge,
};

interface Request<Amount> {
  readonly customerId: string;
  readonly commandId: Optional<string>;
  readonly checks: readonly Check[];
  /** The amount in the input, which the command needs in minor units. */
  readonly amount: Result<Amount>;
  readonly body: JsonObject;
  readonly formerBody: JsonObject;
  command(amount: Amount): CustomerCommand;
}

async function execute<Amount>(
  deps: CommandDeps,
  caller: Caller,
  request: Request<Amount>,
): Promise<Result<Accepted>> {
  const { customerId, amount } = request;
  const faults = checkAll([
    [customerIdRule, customerId, 'customerId'],
    [commandIdRule, request.commandId ?? null, 'commandId'],
    ...request.checks,
  ]);
  if (!amount.ok) return refusedAll([...faults, ...amount.errors]);
  if (faults.length > 0) return refusedAll(faults);
  const command = request.command(amount.value);
  const commandId = scopedCommandId(caller, command.kind, request.commandId ?? deps.ids.next());
  const executed = await executeOn(deps, customerAggregate, {
    streamId: customerStream(customerId),
    command,
    commandId,
    body: request.body,
    formerBody: request.formerBody,
    metadata: metadataOf(caller, commandId),
    value: { customerId },
    beside: ([event], state) => ({
      inlineProjection: event ? projectCredit(event, state, command.actor) : keepCredit(customerId, state),
    }),
    explain: ({ code }) => explained[code] ?? refused(code, `Refused: ${code}`),
  });
  if (!executed.ok) return executed;
  const { version, position, value } = executed.value;
  // A repeat without a customer's id gets the id that was made for the first.
  return ok({ aggregateId: String(value.customerId), version, position });
}

function readCreditLimit(text: string): Result<bigint> {
  const limit = parseAmountOrZero(text, SHOP_CURRENCY, []);
  if (limit.ok) return limit;
  const message = `A credit limit is an amount in ${SHOP_CURRENCY}, not below zero`;
  return refused('CREDIT_LIMIT_INVALID', message, ['input', 'creditLimit']);
}
