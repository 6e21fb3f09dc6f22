import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Plan } from '../../../platform/event-log/execute.js';
import type { Actor } from '../command.js';
import { minorUnitsOf } from '../money.js';
import { SHOP_CURRENCY } from '../shop.js';
import { customerNotFound } from './decide.js';
import type { CustomerEvent } from './events.js';
import type { CustomerState } from './state.js';

/** A customer as orders are held against him: his row of `customer_credit`. Minor units of the shop's currency. */
export interface Credit {
  readonly userId: string;
  readonly isActive: boolean;
  readonly creditLimit: bigint;
  /** What he owes; below zero where a paid order was cancelled. */
  readonly outstanding: bigint;
}

const CUSTOMER = ['input', 'customerId'];

/** The customer if he exists, is the actor's to order for, and is active. */
export function orderingCustomer(actor: Actor, customer: Credit | null): Result<Credit> {
  if (!customer) return customerNotFound;
  if (customer.userId !== actor.userId && !actor.isAdmin) {
    return refused('FORBIDDEN', 'This customer belongs to another user', CUSTOMER);
  }
  return customer.isActive ? ok(customer) : inactiveCustomer;
}

/** Whether a customer may owe so much more. */
export const mayOwe = ({ creditLimit, outstanding }: Credit, more: bigint): boolean =>
  outstanding + more <= creditLimit;

export const inactiveCustomer = refused('INACTIVE_CUSTOMER', 'Inactive customer', CUSTOMER);
export const creditLimitExceeded = refused('CREDIT_LIMIT_EXCEEDED', 'Credit limit exceeded', CUSTOMER);

/** What an event of a customer's does to his credit. */
export function creditGuard(event: CustomerEvent, state: CustomerState): NonNullable<Plan['guard']> {
  const { customerId } = event.data;
  switch (event.type) {
    case 'CustomerRegistered': {
      const { userId, creditLimit } = event.data;
      return { name: 'register_customer', args: { customerId, userId, creditLimit: units(creditLimit) } };
    }
    case 'CustomerStatusSet': {
      if (state.status === 'UNKNOWN') throw new Error('CustomerStatusSet before CustomerRegistered');
      const { isActive, creditLimit } = event.data;
      const args = { customerId, userId: state.userId, isActive, creditLimit: units(creditLimit) };
      return { name: 'set_customer_status', args };
    }
    case 'PaymentRecorded':
      return { name: 'record_payment', args: { customerId, amount: units(event.data.amount) } };
    default:
      return event satisfies never;
  }
}

const units = (amount: string): number => Number(minorUnitsOf(amount, SHOP_CURRENCY));
