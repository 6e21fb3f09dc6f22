import type { Clock } from '../../../platform/clock.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import type { Freshness } from '../freshness.js';
import type { Channel } from '../types.js';
import { sql as statements } from './change.sql.js';
import { invalidateAddresses } from './invalidate.js';

/** What the owner of an address answered: STOP wants no more messages from our number, START wants them again. */
export interface AddressChoice {
  readonly channel: Channel;
  readonly address: string;
  readonly choice: 'STOP' | 'START';
}

/** Puts addresses on the suppression list whose owners want that, and takes off those that only a STOP has put there. */
export async function recordChoices(
  deps: {
    readonly postgres: Postgres;
    readonly clock: Clock;
    readonly freshness: Pick<Freshness, 'userChanged'>;
  },
  choices: readonly AddressChoice[],
): Promise<void> {
  const at = new Date(deps.clock.now());
  for (const { channel, address, choice } of choices) {
    if (choice === 'STOP') {
      const event = { channel, address, kind: 'STOP', deliveryId: null, at };
      await deps.postgres.query(statements.stop, [JSON.stringify([event])]);
    } else await deps.postgres.query(statements.start, [channel, address, at]);
  }
  await invalidateAddresses(
    deps,
    choices.map(({ address }) => address),
  );
}
