import type { RecordedEvent } from '../../../platform/event-log/index.js';
import { formatAmount, minorUnitsOf } from '../money.js';
import { type AccountEvent, accountIdOf, readAccountEvent } from './events.js';
import { type AccountSummary, RECENT_TRANSACTIONS } from './read.js';

/** An account after some of its events: what the read model had of it then. Amounts in minor units. */
export interface AccountView extends Omit<AccountSummary, 'balance' | 'recentTransactions'> {
  readonly balance: bigint;
  /** Newest first, at most `RECENT_TRANSACTIONS`. */
  readonly recent: readonly Movement[];
}

interface Movement {
  readonly date: Date;
  readonly desc: string;
  /** Negative for withdrawals. */
  readonly change: bigint;
}

/**
 * The account after one more event of its stream.
 *
 * @param view null before the first
 */
export function viewAfter(view: AccountView | null, recorded: RecordedEvent): AccountView {
  const event = readAccountEvent(recorded);
  const { createdAt: date, streamId, streamPosition: version } = recorded;
  if (event.type === 'AccountCreated') {
    const { ownerId, currency } = event.data;
    const accountId = accountIdOf(streamId);
    return { accountId, ownerId, status: 'ACTIVE', currency, balance: 0n, recent: [], version };
  }
  if (!view) throw new Error(`${event.type} before AccountCreated in ${streamId}`);
  switch (event.type) {
    case 'MoneyDeposited':
    case 'MoneyWithdrawn':
      return moved(view, version, { date, ...movementOf(event) });
    case 'AccountClosed':
      return { ...view, status: 'CLOSED', version };
    default:
      return event satisfies never;
  }
}

/** How a movement is listed. What nobody described is named by its direction. */
export function movementOf({
  type,
  data: { amount, currency, description },
}: Extract<AccountEvent, { type: 'MoneyDeposited' | 'MoneyWithdrawn' }>): Omit<Movement, 'date'> {
  const minor = minorUnitsOf(amount, currency);
  return type === 'MoneyDeposited'
    ? { desc: description ?? 'Deposit', change: minor }
    : { desc: description ?? 'Withdrawal', change: -minor };
}

const moved = (view: AccountView, version: number, movement: Movement): AccountView => ({
  ...view,
  balance: view.balance + movement.change,
  recent: [movement, ...view.recent.slice(0, RECENT_TRANSACTIONS - 1)],
  version,
});

/** The account as queries answer it. */
export function toSummary({ balance, recent, ...view }: AccountView): AccountSummary {
  return {
    ...view,
    balance: formatAmount(balance, view.currency),
    recentTransactions: recent.map(({ date, desc, change }) => ({
      date,
      desc,
      amount: formatAmount(change, view.currency),
    })),
  };
}
