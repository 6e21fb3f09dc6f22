import { ok, type Result, refused } from '../../../platform/errors.js';
import type { EventOf } from '../../../platform/event-log/define-events.js';
import type { InlineProjection } from '../../../platform/event-log/index.js';
import type { Actor } from '../command.js';
import { commerceProjections } from '../inline-projections.js';
import { minorUnitsOf } from '../money.js';
import type { debtEvents } from '../order/events.js';
import { HIGHEST_OWN_CREDIT_TOTAL, SHOP_CURRENCY } from '../shop.js';
import { customerNotFound } from './decide.js';
import type { CustomerEvent } from './events.js';
import { type CustomerState, evolve } from './state.js';

/** A customer as orders are checked against: the row of `customer_credit`. Minor units of the shop's currency. */
export interface Credit {
  readonly userId: string;
  readonly isActive: boolean;
  readonly creditLimit: bigint;
  /** What the customer owes; below zero where a paid order was cancelled. */
  readonly outstanding: bigint;
}

const CUSTOMER = ['input', 'customerId'];

/** The customer if there is one, who is the actor's to order for, and is active. */
export function orderingCustomer(actor: Actor, customer: Credit | null): Result<Credit> {
  // A stranger does not learn that there is one.
  if (!customer || (customer.userId !== actor.userId && !actor.isAdmin)) return customerNotFound;
  return customer.isActive ? ok(customer) : inactiveCustomer;
}

/** Whether a customer may owe so much more. */
export const mayOwe = ({ creditLimit, outstanding }: Credit, more: bigint): boolean =>
  outstanding + more <= creditLimit;

type Debt = EventOf<typeof debtEvents> | Extract<CustomerEvent, { type: 'PaymentRecorded' }>;

/** By how much more an event has its customer owe, in minor units of the shop's currency. */
export function owedBy({ type, data }: Debt): bigint {
  switch (type) {
    case 'OrderPlaced':
      return minorUnitsOf(data.totalAmount, SHOP_CURRENCY);
    case 'OrderCancelled':
      return -minorUnitsOf(data.totalAmount, SHOP_CURRENCY);
    case 'PaymentRecorded':
      return -minorUnitsOf(data.amount, SHOP_CURRENCY);
    default:
      return type satisfies never;
  }
}

export const inactiveCustomer = refused('INACTIVE_CUSTOMER', 'Inactive customer', CUSTOMER);
export const creditLimitExceeded = refused('CREDIT_LIMIT_EXCEEDED', 'Credit limit exceeded', CUSTOMER);

/** What an actor's event of a customer does to the credit; an admin may let a user's customers owe what they like. */
export function projectCredit(event: CustomerEvent, state: CustomerState, actor: Actor): InlineProjection {
  const { customerId } = event.data;
  switch (event.type) {
    case 'CustomerRegistered': {
      const { userId, creditLimit } = event.data;
      const highestTotal = actor.isAdmin ? null : units(HIGHEST_OWN_CREDIT_TOTAL);
      return commerceProjections.call('register_customer', {
        customerId,
        userId,
        creditLimit: units(creditLimit),
        highestTotal,
      });
    }
    case 'CustomerStatusSet':
      return keepCredit(customerId, evolve(state, event));
    case 'PaymentRecorded':
      return commerceProjections.call('record_payment', { customerId, amount: units(event.data.amount) });
    default:
      return event satisfies never;
  }
}

/** Makes a customer's credit what the customer's own stream says; one from before there was credit owes nothing. */
export function keepCredit(customerId: string, state: CustomerState): InlineProjection {
  if (state.status === 'UNKNOWN') throw new Error(`${customerId} was never registered`);
  const { userId, isActive, creditLimit } = state;
  return commerceProjections.call('set_customer_status', {
    customerId,
    userId,
    isActive,
    creditLimit: Number(creditLimit),
  });
}

const units = (amount: string): number => Number(minorUnitsOf(amount, SHOP_CURRENCY));
