import type { RecordedEvent } from '../../../platform/event-log/index.js';
import type { Optional } from '../command.js';
import { formatAmount, minorUnitsOf } from '../money.js';
import { mustExist } from '../must-exist.js';
import type { ReplayView } from '../replay-snapshots.js';
import { SHOP_CURRENCY } from '../shop.js';
import { owedBy } from './credit.js';
import { type CustomerEvent, customerIdOf } from './events.js';

/** A customer in the read model. Amounts are decimals of the shop's currency. */
export interface Customer {
  readonly customerId: string;
  /** The user whom the customer belongs to. */
  readonly userId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly isActive: boolean;
  readonly creditLimit: string;
  /** What the customer owes for orders; negative where a paid order was cancelled. */
  readonly outstandingBalance: string;
  /** The position of the last event of the customer's own stream; orders change the balance without it. */
  readonly version: number;
}

/** Its version is raised whenever the fields of `Customer`, or what `customerAfter` makes of events, change: see `ReplayView`. */
export const customerView: ReplayView = { name: 'customer', version: 2 };

/** The customer after one more event of their own stream; `owingMore` has what their orders change. */
export function customerAfter(
  before: Customer | null | undefined,
  event: CustomerEvent,
  recorded: Pick<RecordedEvent, 'type' | 'streamId' | 'streamPosition'>,
): Customer {
  const { streamId, streamPosition: version } = recorded;
  if (event.type === 'CustomerRegistered') {
    const { userId, firstName, lastName, email, creditLimit } = event.data;
    return {
      customerId: customerIdOf(streamId),
      userId,
      firstName,
      lastName,
      email,
      isActive: true,
      creditLimit,
      outstandingBalance: before?.outstandingBalance ?? '0',
      version,
    };
  }
  const customer = mustExist(before, recorded);
  switch (event.type) {
    case 'CustomerStatusSet': {
      const { isActive, creditLimit } = event.data;
      return { ...customer, isActive, creditLimit, version };
    }
    case 'PaymentRecorded':
      return { ...owingMore(customer, owedBy(event)), version };
    default:
      return event satisfies never;
  }
}

/** Less than nothing is owed once an order that was paid for is cancelled, of any size. @param change in minor units */
export function owingMore(customer: Customer, change: bigint): Customer {
  const outstanding = minorUnitsOf(customer.outstandingBalance, SHOP_CURRENCY) + change;
  return { ...customer, outstandingBalance: formatAmount(outstanding, SHOP_CURRENCY) };
}

export interface RegisterCustomerInput {
  /** Absent: made up. */
  readonly customerId?: Optional<string>;
  /** Absent: the caller. Another user: admin. */
  readonly userId?: Optional<string>;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** A plain decimal. Absent: `DEFAULT_CREDIT_LIMIT`. */
  readonly creditLimit?: Optional<string>;
  readonly commandId?: Optional<string>;
}

export interface SetCustomerStatusInput {
  readonly customerId: string;
  /** Absent: as it is. */
  readonly isActive?: Optional<boolean>;
  /** Absent: as it is. */
  readonly creditLimit?: Optional<string>;
  readonly commandId?: Optional<string>;
}

export interface RecordPaymentInput {
  readonly customerId: string;
  /** A plain decimal. */
  readonly amount: string;
  readonly reference?: Optional<string>;
  readonly commandId?: Optional<string>;
}
