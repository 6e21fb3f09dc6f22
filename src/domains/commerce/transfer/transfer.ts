import type { Optional } from '../command.js';

/** A transfer as its projector has it. */
export interface Transfer {
  readonly transferId: string;
  readonly fromAccountId: string;
  readonly toAccountId: string;
  /** The owner of the source account, at that time. */
  readonly ownerId: string;
  /** A decimal with all of the currency's digits. */
  readonly amount: string;
  readonly currency: string;
  readonly description: string | null;
  readonly status: TransferStatus;
  /** Why it was refused or compensated: the code of the refusal. */
  readonly reason: string | null;
  readonly version: number;
}

/**
 * STARTED: accepted, no money moved. DEBITED: the money is on its way. COMPLETED: it arrived.
 * REFUSED: the source could not give it. COMPENSATED: it could not arrive and is back at its source.
 */
export type TransferStatus = 'STARTED' | 'DEBITED' | 'COMPLETED' | 'REFUSED' | 'COMPENSATED';

export interface TransferMoneyInput {
  readonly fromAccountId: string;
  readonly toAccountId: string;
  /** A plain decimal in the accounts' currency. */
  readonly amount: string;
  readonly description?: Optional<string>;
  readonly commandId?: Optional<string>;
}
