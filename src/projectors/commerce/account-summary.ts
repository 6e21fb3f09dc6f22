import {
  type AccountEvent,
  accountEventTypes,
  accountIdOf,
  accountTopic,
  readAccountEvent,
} from '../../domains/commerce/account/events.js';
import { minorUnitsOf } from '../../domains/commerce/money.js';
import type { RecordedEvent } from '../../platform/event-log/index.js';
import { loadStatements, type Queryable } from '../../platform/postgres.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups.js';

const sql = loadStatements(new URL('./account-summary.sql', import.meta.url), ['foldAccounts']);

/** Keeps accounts and their transactions. */
export function accountSummary(wakeUps: WakeUpPublisher): Projector {
  return {
    name: 'account-summary',
    tables: ['accounts', 'account_transactions'],
    eventTypes: accountEventTypes,
    async apply(events, tx) {
      const changed = await foldAccounts(events, tx);
      return () =>
        wakeUps.publish(
          changed.map(({ account_id, version }) => ({
            topics: [accountTopic(account_id)],
            payload: { version },
          })),
        );
    },
  };
}

async function foldAccounts(
  events: readonly RecordedEvent[],
  tx: Queryable,
): Promise<{ account_id: string; version: number }[]> {
  const changes = events.map((event) => changeOf(readAccountEvent(event)));
  const { rows } = await tx.query<{ account_id: string; version: number }>(sql.foldAccounts, [
    events.map(({ globalPosition }) => globalPosition),
    events.map(({ streamId }) => accountIdOf(streamId)),
    events.map(({ streamPosition }) => streamPosition),
    events.map(({ createdAt }) => createdAt),
    changes.map(({ owner }) => owner ?? null),
    changes.map(({ currency }) => currency ?? null),
    changes.map(({ closes }) => closes ?? false),
    changes.map(({ minor }) => minor?.toString() ?? null),
    changes.map(({ description }) => description ?? null),
  ]);
  return rows;
}

/** What one event changes in the summary. */
interface Change {
  readonly owner?: string;
  readonly currency?: string;
  readonly closes?: true;
  /** Added to the balance. */
  readonly minor?: bigint;
  readonly description?: string;
}

function changeOf({ type, data }: AccountEvent): Change {
  switch (type) {
    case 'AccountCreated':
      return { owner: data.ownerId, currency: data.currency };
    case 'MoneyDeposited':
      return { minor: minorUnitsOf(data.amount, data.currency), description: data.description ?? 'Deposit' };
    case 'MoneyWithdrawn':
      return {
        minor: -minorUnitsOf(data.amount, data.currency),
        description: data.description ?? 'Withdrawal',
      };
    case 'AccountClosed':
      return { closes: true };
    default:
      return type satisfies never;
  }
}
