import {
  type AccountEvent,
  accountEventTypes,
  accountIdOf,
  accountTopic,
  readAccountEvent,
} from '../../domains/commerce/account/events.js';
import { movementOf } from '../../domains/commerce/account/view.js';
import type { RecordedEvent } from '../../platform/event-log/index.js';
import type { Queryable, RowOf } from '../../platform/postgres/postgres.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups/wake-ups.js';
import { sql } from './account-summary.sql.js';
import { publishVersions } from './fold.js';

/** Keeps accounts and their transactions. */
export function accountSummary(wakeUps: WakeUpPublisher): Projector {
  return {
    name: 'account-summary',
    tables: ['accounts', 'account_transactions'],
    onlyAddedTo: ['account_transactions'],
    eventTypes: accountEventTypes,
    async apply(events, tx) {
      const changed = await foldAccounts(events, tx);
      return publishVersions(wakeUps, changed, ({ accountId }) => accountTopic(accountId));
    },
  };
}

async function foldAccounts(
  events: readonly RecordedEvent[],
  tx: Queryable,
): Promise<RowOf<typeof sql.foldAccounts>[]> {
  const effects = events.map((event) => effectOf(readAccountEvent(event)));
  const { rows } = await tx.query(sql.foldAccounts, [
    events.map(({ globalPosition }) => globalPosition),
    events.map(({ streamId }) => accountIdOf(streamId)),
    events.map(({ streamPosition }) => streamPosition),
    events.map(({ createdAt }) => createdAt),
    effects.map(({ owner }) => owner ?? null),
    effects.map(({ currency }) => currency ?? null),
    effects.map(({ closes }) => closes ?? false),
    effects.map(({ change }) => change?.toString() ?? null),
    effects.map(({ desc }) => desc ?? null),
  ]);
  return rows;
}

/** What one event changes in the summary. */
interface Effect {
  readonly owner?: string;
  readonly currency?: string;
  readonly closes?: true;
  /** Added to the balance. */
  readonly change?: bigint;
  readonly desc?: string;
}

function effectOf(event: AccountEvent): Effect {
  switch (event.type) {
    case 'AccountCreated':
      return { owner: event.data.ownerId, currency: event.data.currency };
    case 'MoneyDeposited':
    case 'MoneyWithdrawn':
      return movementOf(event);
    case 'AccountClosed':
      return { closes: true };
    default:
      return event satisfies never;
  }
}
