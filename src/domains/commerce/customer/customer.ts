import type { Optional } from '../command.js';

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
