import type { RecordedEvent } from '../../../platform/event-log/index.js';
import type { RowOf } from '../../../platform/postgres/postgres.js';
import { formatAmount, minorUnitsOf } from '../money.js';
import type { ReplayView } from '../replay-snapshots.js';
import type { sql } from './accounts.sql.js';
import { type AccountEvent, accountIdOf, readAccountEvent } from './events.js';

/** How many transactions a summary shows; all of them are kept. */
export const RECENT_TRANSACTIONS = 20;

/** An account as queries show it. Amounts are decimals with all of the currency's digits. */
export interface AccountSummary {
  readonly accountId: string;
  readonly ownerId: string;
  readonly status: 'ACTIVE' | 'CLOSED';
  readonly balance: string;
  readonly currency: string;
  /** Newest first, at most `RECENT_TRANSACTIONS`. */
  readonly recentTransactions: readonly {
    readonly date: Date;
    readonly desc: string;
    /** Negative for withdrawals. */
    readonly amount: string;
  }[];
  /** The stream position of the last event in it. */
  readonly version: number;
}

/** An account after some of its events: what the read model had of it then. Amounts in minor units. */
export interface AccountView extends Omit<AccountSummary, 'balance' | 'recentTransactions'> {
  readonly balance: bigint;
  /** Newest first, at most `RECENT_TRANSACTIONS`. */
  readonly recent: readonly Movement[];
}

/** Its version is raised whenever the fields of `AccountView`, or what `viewAfter` makes of events, change: see `ReplayView`. */
export const accountView: ReplayView = { name: 'account', version: 1 };

interface Movement {
  readonly date: Date;
  readonly desc: string;
  /** Negative for withdrawals. */
  readonly change: bigint;
}

/** The account of a row. */
export const viewOf = ({ balance, recent, ...account }: RowOf<typeof sql.readAccount>): AccountView => ({
  ...account,
  balance: BigInt(balance),
  recent: recent.map(({ date, desc, change }) => ({ date: new Date(date), desc, change: BigInt(change) })),
});

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
