import type { Aggregate } from '../../../../src/platform/event-log/aggregate.js';
import type { NewEvent } from '../../../../src/platform/event-log/index.js';
import { loadProduct } from '../../../harness/product.ts';
import { migrateProduct, openLog } from '../../../harness/product-app.ts';
import { eventOf } from '../streams.ts';
import type { OpenLoader } from './loader.ts';

const aCommand = 200;

/** The product's `load`. @param withSnapshots whether the snapshots that it finds are of its own version */
export const tidings =
  (withSnapshots: boolean): OpenLoader =>
  async (databaseUrl) => {
    await migrateProduct(databaseUrl);
    const { postgres, log } = await openLog(databaseUrl, 2);
    const { load } = await loadProduct<typeof import('../../../../src/platform/event-log/aggregate.js')>(
      'platform/event-log/aggregate.js',
    );
    const { accountAggregate } = await loadProduct<
      typeof import('../../../../src/domains/commerce/account/aggregate.js')
    >('domains/commerce/account/aggregate.js');
    const aggregate = withSnapshots ? accountAggregate : unknowing(accountAggregate);
    const streamId = (accountId: string): string => `Account-${accountId}`;
    return {
      async fill(stream) {
        for (let from = 0; from < stream.events; from += aCommand) {
          const loaded = await load(log, accountAggregate, streamId(stream.accountId));
          const count = Math.min(aCommand, stream.events - from);
          const events = Array.from({ length: count }, (_, n) => eventOf(stream, from + n));
          const metadata = { correlationId: stream.accountId, causationId: stream.accountId };
          await log.append({
            appends: [{ streamId: loaded.streamId, expected: 'any', events }],
            metadata,
          });
          await loaded.after(events).keepSnapshot();
        }
      },
      async load({ accountId }) {
        const { state } = await load(log, aggregate, streamId(accountId));
        if (state.status === 'UNKNOWN') throw new Error(`${accountId} is not there`);
        return state.balance;
      },
      close: () => postgres.close(),
    };
  };

/** The aggregate as if it had just been changed: every snapshot that there is has another version. */
const unknowing = <State, Command, Event extends NewEvent>(
  aggregate: Aggregate<State, Command, Event>,
): Aggregate<State, Command, Event> => ({
  ...aggregate,
  snapshot: { ...aggregate.snapshot, version: aggregate.snapshot.version + 1 },
});
