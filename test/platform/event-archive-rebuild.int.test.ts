import { expect, it, onTestFinished } from 'vitest';
import type { ObjectStore } from '../../src/platform/object-store/store.js';
import type { Projector } from '../../src/platform/projector/projector.js';
import { startProjector } from '../commerce/with-commerce.js';
import { archiveAll, FAR, inPostgres, logWith, openFolderStore } from './event-archive-world.js';
import { partition } from './log-partitions.js';
import { caughtUp, openProjectorWorld, rebuilt, tally } from './projector-world.js';

/** 900 events of 30 streams, `tally` of all of them, and the first 600 in the archive. */
async function openWorld() {
  const on = await openProjectorWorld();
  onTestFinished(() => on.close());
  await partition(on.postgres, [301, 601, FAR]);
  for (let n = 0; n < 90; n += 1)
    await on.count(`Stream-${n % 30}`, ...Array.from({ length: 10 }, (_, by) => n + by));
  const runner = startProjector(on, tally());
  await caughtUp(on, 'tally');
  await runner.stop();
  const { store } = await openFolderStore();
  await archiveAll({ postgres: on.postgres, store }, 50);
  expect(await inPostgres(on.postgres)).toEqual([601]);
  const tallied = async () =>
    (
      await on.postgres.query(
        'SELECT (SELECT json_agg(t ORDER BY stream_id) FROM tally t) AS sums, (SELECT json_agg(l ORDER BY position) FROM tally_lines l) AS lines',
      )
    ).rows[0];
  return { ...on, store, tallied, before: await tallied() };
}

it('a read model that is built anew from the archive and Postgres is the one that there was', async () => {
  const on = await openWorld();
  const runner = startProjector({ ...on, log: logWith(on.postgres, on.store) }, tally());
  onTestFinished(() => runner.stop());
  const { lastError, rebuiltAt } = await rebuilt(on, 'tally');
  expect(lastError).toBeNull();
  expect(rebuiltAt).toBeInstanceOf(Date);
  expect(await on.tallied()).toEqual(on.before);
  await on.count('Stream-1', 5);
  await caughtUp(on, 'tally');
});

it('an archive that cannot be read ends a rebuild with its error; the read model that there was stays', async () => {
  const on = await openWorld();
  let gets = 0;
  const failing: ObjectStore = {
    ...on.store,
    async get(key) {
      gets += 1;
      if (gets > 3) throw new Error('the store is down');
      return on.store.get(key);
    },
  };
  const runner = startProjector({ ...on, log: logWith(on.postgres, failing) }, tally());
  onTestFinished(() => runner.stop());
  const { lastError } = await rebuilt(on, 'tally');
  expect(lastError).toMatch(
    /^rebuild: EVENT_ARCHIVE_UNAVAILABLE: events\/.* could not be read: the store is down$/,
  );
  expect(await on.tallied()).toEqual(on.before);
  await on.count('Stream-1', 5);
  await caughtUp(on, 'tally');
});

it('a projector that is new begins in the archive', async () => {
  const on = await openWorld();
  const seen: number[] = [];
  const projector: Projector = {
    name: 'new',
    eventTypes: 'all',
    async apply(events) {
      seen.push(...events.map(({ globalPosition }) => globalPosition));
      return undefined;
    },
  };
  const runner = startProjector({ ...on, log: logWith(on.postgres, on.store) }, projector);
  onTestFinished(() => runner.stop());
  await caughtUp(on, 'new');
  expect(seen).toEqual(Array.from({ length: 900 }, (_, n) => n + 1));
});
