import type { Caller } from '../../../platform/auth/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { toStoredText } from '../../../platform/text.js';
import { type Accepted, actorOf, type CommandDeps } from '../command.js';
import { execute as executeOnOne, type Request } from '../execute.js';
import { bodiesOf, parseAmount, parseAmountOrZero } from '../money.js';
import {
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
import { type CustomerEvent, customerStream } from './events.js';
import type { CustomerState } from './state.js';

const customers = {
  aggregate: customerAggregate,
  streamOf: customerStream,
  field: 'customerId',
  idRule: customerIdRule,
};

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
    id: customerId,
    commandId: input.commandId,
    checks: [
      [userIdRule, userId, 'userId'],
      [firstNameRule, firstName, 'firstName'],
      [lastNameRule, lastName, 'lastName'],
      [emailRule, email, 'email'],
    ],
    ...bodiesOf((spelled) => ({
      customerId: input.customerId ?? null,
      userId,
      firstName: input.firstName,
      lastName: input.lastName,
      email,
      creditLimit: asked && spelled(asked),
    })),
    command: withAmount(readCreditLimit(asked ?? DEFAULT_CREDIT_LIMIT), (creditLimit) => ({
      kind: 'registerCustomer',
      actor: actorOf(caller),
      customerId,
      userId,
      firstName,
      lastName,
      email,
      creditLimit,
    })),
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
  const given: Result<bigint | null> =
    isActive === null && asked === null
      ? refused('NOTHING_TO_CHANGE', 'Give isActive, creditLimit, or both', ['input'])
      : asked === null
        ? ok(null)
        : readCreditLimit(asked);
  return execute(deps, caller, {
    id: customerId,
    commandId: input.commandId,
    checks: [],
    ...bodiesOf((spelled) => ({ customerId, isActive, creditLimit: asked && spelled(asked) })),
    command: withAmount(given, (creditLimit) => ({
      kind: 'setCustomerStatus',
      actor: actorOf(caller),
      customerId,
      isActive,
      creditLimit,
    })),
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
    id: customerId,
    commandId: input.commandId,
    checks: [[referenceRule, reference, 'reference']],
    ...bodiesOf((spelled) => ({ customerId, amount: spelled(input.amount), reference })),
    command: withAmount(parseAmount(input.amount, SHOP_CURRENCY, ['input', 'amount']), (amount) => ({
      kind: 'recordPayment',
      actor: actorOf(caller),
      customerId,
      amount,
      reference,
    })),
  });
}

/** What the inline projections refuse. */
const explained: Readonly<Record<string, Result<never>>> = {
  CUSTOMER_EXISTS: customerExists,
  CREDIT_LIMIT_FORBIDDEN: creditTotalForbidden,
  PAYMENT_TOO_LARGE: paymentTooLarge,
};

const execute = (
  deps: CommandDeps,
  caller: Caller,
  request: Omit<Request<CustomerState, CustomerCommand, CustomerEvent>, 'beside' | 'explain'>,
): Promise<Result<Accepted>> =>
  executeOnOne(deps, caller, customers, {
    ...request,
    beside: ([event], state) => ({
      inlineProjection: event ? projectCredit(event, state, actorOf(caller)) : keepCredit(request.id, state),
    }),
    explain: ({ code }) => explained[code] ?? refused(code, `Refused: ${code}`),
  });

/** The command, if the amount in its input is one. */
const withAmount = <Amount>(
  amount: Result<Amount>,
  commandOf: (amount: Amount) => CustomerCommand,
): Result<CustomerCommand> => (amount.ok ? ok(commandOf(amount.value)) : amount);

function readCreditLimit(text: string): Result<bigint> {
  const limit = parseAmountOrZero(text, SHOP_CURRENCY, []);
  if (limit.ok) return limit;
  const message = `A credit limit is an amount in ${SHOP_CURRENCY}, not below zero`;
  return refused('CREDIT_LIMIT_INVALID', message, ['input', 'creditLimit']);
}
