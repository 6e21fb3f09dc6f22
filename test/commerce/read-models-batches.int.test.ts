import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openReadModels, type ReadModelsOnTest } from './read-models-world.js';
import { record, type Turn, tell, writeStory } from './stories.js';
import { checkpointOf, startProjector } from './with-commerce.js';

let models: ReadModelsOnTest;

beforeAll(async () => {
  models = await openReadModels();
});
afterAll(() => models?.on.close());

describe('every read model', () => {
  const turn: fc.Arbitrary<Turn> = fc.tuple(fc.nat(7), fc.nat(9), fc.nat(9), fc.integer({ min: 1, max: 5 }));
  /** Where batches end, and how many events before its beginning each sees a second time. */
  const cuts = fc.array(fc.record({ length: fc.integer({ min: 1, max: 25 }), again: fc.nat(8) }), {
    minLength: 1,
    maxLength: 20,
  });

  it('is the same wherever batches are cut, and whatever is applied twice', async () => {
    const { apply, rowsAfter } = models;
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 60 }), cuts, async (story, batches) => {
        const { events } = tell(story);
        const oneByOne = await rowsAfter(async (tx) => {
          for (const event of events) await apply(tx, [event]);
        });
        const inBatches = await rowsAfter(async (tx) => {
          for (let done = 0, n = 0; done < events.length; n += 1) {
            const { length, again } = batches[n % batches.length]!;
            await apply(tx, events.slice(Math.max(0, done - again), done + length));
            done += length;
          }
        });
        expect(inBatches).toEqual(oneByOne);
        const twice = await rowsAfter(async (tx) => {
          await apply(tx, events);
          await apply(tx, events);
        });
        expect(twice).toEqual(oneByOne);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it.each(['OrderShipped', 'OrderCancelled', 'CustomerStatusSet', 'PaymentRecorded', 'InventoryReserved'])(
    'stalls at %s of something that it does not have, rather than lose it',
    async (type) => {
      const { apply, rowsAfter } = models;
      const story = writeStory();
      const order = story.place('o', 'c', [['p', 1]]);
      story.ship(order, 'T');
      story.cancel(order, 'r');
      story.setStatus('c', true, '1.00');
      story.pay('c', '1.00');
      const event = story.events.find((one) => one.type === type)!;
      await expect(rowsAfter((tx) => apply(tx, [event]))).rejects.toThrow(`${type} in ${event.streamId}`);
    },
  );

  it('kept by two runners that are killed at random points ends as one replay would', async () => {
    const { on, projectors, tables, apply, rowsOf, rowsAfter } = models;
    const turns = fc.array(turn, { minLength: 400, maxLength: 400 });
    const { events } = tell(fc.sample(turns, { numRuns: 1 })[0]!);
    /** Breaks the connection of whoever runs the projector, as a kill of its process would. */
    const killHolder = (name: string) =>
      on.postgres.query(
        `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
         WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database() AND a.application_name = $1`,
        [`projector ${name}`],
      );
    const reached = (name: string, position: number) =>
      vi.waitFor(async () => expect(await checkpointOf(on, name)).toBeGreaterThanOrEqual(position), {
        timeout: 60_000,
        interval: 5,
      });
    const runners = [...projectors, ...projectors].map((projector) => startProjector(on, projector));
    for (let done = 0; done < events.length; ) {
      const { name } = projectors[Math.floor(Math.random() * projectors.length)]!;
      if (Math.random() < 0.3) await reached(name, await on.log.head());
      const length = 1 + Math.floor(Math.random() * 30);
      const recorded = record(on.log, events.slice(done, done + length));
      await reached(name, done + Math.floor(Math.random() * 2));
      await killHolder(name);
      await recorded;
      done += length;
    }
    const head = await on.log.head();
    expect(head).toBe(events.length);
    for (const { name } of projectors) await reached(name, head);
    await Promise.all(runners.map((runner) => runner.stop()));

    const kept = await rowsOf(on.postgres);
    expect(kept.orders!.length).toBeGreaterThan(10);
    const replayed = await rowsAfter(async (tx) => {
      for (const table of tables) await tx.query(`DELETE FROM ${table}`);
      await apply(tx, (await on.log.readAll(0, head)).events);
    });
    expect(kept).toEqual(replayed);
    expect((await on.postgres.query('SELECT * FROM projector_failures')).rows).toEqual([]);
  }, 120_000);
});
