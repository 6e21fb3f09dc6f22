import { type AccountEvent, accountStream } from '../domains/commerce/account/events.js';
import { formatAmount } from '../domains/commerce/money.js';
import { type TransferEvent, transferStream } from '../domains/commerce/transfer/events.js';
import type { NewEvent } from '../platform/event-log/index.js';
import type { DemoAccount } from './accounts.js';
import { type Happening, happening } from './happening.js';

/** Money that goes from one account to another. */
export interface DemoTransfer {
  readonly from: DemoAccount;
  readonly to: DemoAccount;
  /** In the currency's minor units. */
  readonly minor: bigint;
  readonly description: string | null;
  /** When it was asked for, in milliseconds since the epoch. */
  readonly at: number;
}

/** How long a worker takes from one step to the next, in milliseconds. */
const STEP = 40;
/** How long the unlucky one waited for its worker. */
const OUTAGE = 60_000;

export function completed(transfer: DemoTransfer, number: number): readonly Happening[] {
  const { facts, write, took, gave } = partsOf(transfer, number);
  return [
    ...write('start', transfer.at, { type: 'TransferStarted', data: facts }),
    ...write('debit', transfer.at + STEP, took, { type: 'TransferDebited', data: facts }),
    ...write('credit', transfer.at + 2 * STEP, gave(transfer.to), { type: 'TransferCompleted', data: facts }),
  ];
}

/** The source had too little. */
export function refused(transfer: DemoTransfer, number: number): readonly Happening[] {
  const { facts, write } = partsOf(transfer, number);
  const reason = 'INSUFFICIENT_FUNDS';
  return [
    ...write('start', transfer.at, { type: 'TransferStarted', data: facts }),
    ...write('debit', transfer.at + STEP, { type: 'TransferRefused', data: { ...facts, reason } }),
  ];
}

/** The target's owner closed it while the money was on its way. */
export function compensated(transfer: DemoTransfer, number: number): readonly Happening[] {
  const { facts, write, took, gave, relatedStreams } = partsOf(transfer, number);
  const { from, to, at } = transfer;
  const reason = 'ACCOUNT_CLOSED';
  const closing: NewEvent = { type: 'AccountClosed', data: { version: 1 } };
  const closed = happening(accountStream(to.accountId), closing, to.ownerId, at + OUTAGE / 2);
  return [
    ...write('start', at, { type: 'TransferStarted', data: facts }),
    ...write('debit', at + STEP, took, { type: 'TransferDebited', data: facts }),
    { ...closed, relatedStreams },
    ...write('compensate', at + OUTAGE, gave(from, `Transfer to ${to.accountId} returned`), {
      type: 'TransferCompensated',
      data: { ...facts, reason },
    }),
  ];
}

function partsOf({ from, to, minor, description }: DemoTransfer, number: number) {
  const transferId = `transfer-${String(number).padStart(3, '0')}`;
  const streamId = transferStream(transferId);
  const relatedStreams = [streamId, accountStream(from.accountId), accountStream(to.accountId)];
  const correlationId = `demo-${transferId}`;
  const { currency, ownerId } = from;
  const moved = {
    amount: formatAmount(minor, currency),
    currency,
    description,
    transferId,
    version: 1 as const,
  };

  /** What one step writes: in the transfer's stream, unless an account's is named. */
  const write = (step: string, at: number, ...events: readonly (TransferEvent | OnAccount)[]): Happening[] =>
    events.map((event) => {
      const metadata = { correlationId, causationId: `${correlationId}/${step}`, userId: ownerId };
      return { streamId, ...event, metadata, at, relatedStreams };
    });

  return {
    facts: { ...moved, fromAccountId: from.accountId, toAccountId: to.accountId, ownerId },
    relatedStreams,
    write,
    took: onAccount(from, {
      type: 'MoneyWithdrawn',
      data: { ...moved, description: description ?? `Transfer to ${to.accountId}` },
    }),
    gave: (account: DemoAccount, why = description ?? `Transfer from ${from.accountId}`) =>
      onAccount(account, { type: 'MoneyDeposited', data: { ...moved, description: why } }),
  };
}

type OnAccount = AccountEvent & { readonly streamId: string };

const onAccount = ({ accountId }: DemoAccount, event: AccountEvent): OnAccount => ({
  ...event,
  streamId: accountStream(accountId),
});
