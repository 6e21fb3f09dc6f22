import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Projector } from '../../src/platform/projector/projector.js';
import { startProjector } from '../commerce/with-commerce.js';
import { caughtUp, openProjectorWorld, type ProjectorWorld, tally, until } from './projector-world.js';

let on: ProjectorWorld;

beforeAll(async () => {
  on = await openProjectorWorld();
});
afterAll(() => on.close());

it('while its hints are never answered a projector goes on applying, and ends when it is stopped', async () => {
  let begun = 0;
  const mute: Projector = {
    name: 'mute',
    eventTypes: new Set(['Counted']),
    async apply() {
      return () => {
        begun += 1;
        return new Promise<void>(() => undefined);
      };
    },
  };
  const runner = startProjector(on, mute);
  await on.count('Thing-1', 1);
  await until(() => expect(begun).toBe(1));
  for (let n = 0; n < 5; n += 1) {
    await on.count('Thing-1', 1);
    await caughtUp(on, 'mute');
  }
  expect(begun).toBe(1);
  await runner.stop();
});

it('a process that holds a projector no more does not measure it any more', async () => {
  const runner = startProjector(on, tally());
  await on.count('Thing-2', 1);
  await caughtUp(on, 'tally');
  const { position, stalled } = runner.metrics;
  await until(async () => {
    expect((await position.get()).values).toMatchObject([{ value: await on.log.head() }]);
    expect((await stalled.get()).values).toMatchObject([{ value: 0 }]);
  });
  await runner.stop();
  expect((await position.get()).values).toEqual([]);
  expect((await stalled.get()).values).toEqual([]);
});
