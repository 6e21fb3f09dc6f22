import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Actor } from '../command.js';
import { formatAmount, minorUnitsOf } from '../money.js';
import { HIGHEST_OWN_CREDIT_LIMIT, HIGHEST_OWN_CREDIT_TOTAL, SHOP_CURRENCY } from '../shop.js';
import type { CustomerEvent } from './events.js';
import type { CustomerState } from './state.js';

export interface RegisterCustomer {
  readonly kind: 'registerCustomer';
  readonly actor: Actor;
  readonly customerId: string;
  readonly userId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** Minor units of the shop's currency. */
  readonly creditLimit: bigint;
}

export interface SetCustomerStatus {
  readonly kind: 'setCustomerStatus';
  readonly actor: Actor;
  readonly customerId: string;
  /** Null: as it is. */
  readonly isActive: boolean | null;
  /** Minor units of the shop's currency. Null: as it is. */
  readonly creditLimit: bigint | null;
}

export interface RecordPayment {
  readonly kind: 'recordPayment';
  readonly actor: Actor;
  readonly customerId: string;
  /** Minor units of the shop's currency. */
  readonly amount: bigint;
  readonly reference: string | null;
}

export type CustomerCommand = RegisterCustomer | SetCustomerStatus | RecordPayment;

type Decision = Result<readonly CustomerEvent[]>;
const CUSTOMER = ['input', 'customerId'];

export function decide(command: CustomerCommand, state: CustomerState): Decision {
  switch (command.kind) {
    case 'registerCustomer':
      return registerCustomer(command, state);
    case 'setCustomerStatus':
      return setCustomerStatus(command, state);
    case 'recordPayment':
      return recordPayment(command, state);
    default:
      return command satisfies never;
  }
}

function registerCustomer(command: RegisterCustomer, state: CustomerState): Decision {
  const { actor, customerId, userId, firstName, lastName, email, creditLimit } = command;
  if (userId !== actor.userId && !actor.isAdmin) {
    return refused('FORBIDDEN', 'Only an admin may register another user', ['input', 'userId']);
  }
  if (creditLimit > minorUnitsOf(HIGHEST_OWN_CREDIT_LIMIT, SHOP_CURRENCY) && !actor.isAdmin) {
    const message = `Only an admin may grant a credit limit above ${HIGHEST_OWN_CREDIT_LIMIT}`;
    return refused('CREDIT_LIMIT_FORBIDDEN', message, ['input', 'creditLimit']);
  }
  if (state.status !== 'UNKNOWN') return customerExists;
  const limit = formatAmount(creditLimit, SHOP_CURRENCY);
  return ok([
    {
      type: 'CustomerRegistered',
      data: { customerId, userId, firstName, lastName, email, creditLimit: limit, version: 2 },
    },
  ]);
}

function setCustomerStatus(command: SetCustomerStatus, state: CustomerState): Decision {
  const { actor, customerId } = command;
  if (!actor.isAdmin) return refused('FORBIDDEN', 'Only an admin may set a customer’s status', CUSTOMER);
  if (state.status === 'UNKNOWN') return customerNotFound;
  const isActive = command.isActive ?? state.isActive;
  const creditLimit = command.creditLimit ?? state.creditLimit;
  if (isActive === state.isActive && creditLimit === state.creditLimit) return ok([]);
  const limit = formatAmount(creditLimit, SHOP_CURRENCY);
  return ok([{ type: 'CustomerStatusSet', data: { customerId, isActive, creditLimit: limit, version: 1 } }]);
}

/** For admins, since a customer could otherwise pay by saying so. The inline projection checks that it is owed. */
function recordPayment(command: RecordPayment, state: CustomerState): Decision {
  const { actor, customerId, amount, reference } = command;
  if (!actor.isAdmin) return refused('FORBIDDEN', 'Only an admin may record a payment', CUSTOMER);
  if (state.status === 'UNKNOWN') return customerNotFound;
  const paid = formatAmount(amount, SHOP_CURRENCY);
  return ok([{ type: 'PaymentRecorded', data: { customerId, amount: paid, reference, version: 1 } }]);
}

/** More credit than users may give themselves, with all of their customers. */
export const creditTotalForbidden = refused(
  'CREDIT_LIMIT_FORBIDDEN',
  `Only an admin may let a user’s customers owe more than ${HIGHEST_OWN_CREDIT_TOTAL} together`,
  ['input', 'creditLimit'],
);
export const customerExists = refused('CUSTOMER_EXISTS', 'This customer id is taken', CUSTOMER);
export const customerNotFound = refused('CUSTOMER_NOT_FOUND', 'There is no such customer', CUSTOMER);
export const paymentTooLarge = refused('PAYMENT_TOO_LARGE', 'The payment is more than the customer owes', [
  'input',
  'amount',
]);
