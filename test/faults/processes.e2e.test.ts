import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ONE_OF_EACH } from './fleet.js';
import { FAULT_MS, openTrial, TRIED_MS, type Trial } from './trial.js';

const HOUR_MS = 3_600_000;

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial(ONE_OF_EACH);
}, 240_000);
afterAll(() => trial?.close(), 60_000);

describe('what is accepted is kept once, what is hidden stays hidden, every subscriber hears each event once', {
  timeout: TRIED_MS,
}, () => {
  it('nothing is broken', () => trial.endure(() => pause(FAULT_MS)));

  it.for([
    ['an api is killed', 'apis'],
    ['a worker is killed', 'workers'],
  ] as const)('%s', ([, kind]) =>
    trial.endure(async () => {
      const victim = trial.fleet[kind][0]!;
      await victim.kill();
      await pause(FAULT_MS / 2);
      await victim.restart();
    }),
  );

  it.for([
    ['an api is frozen', 'apis'],
    ['a worker is frozen', 'workers'],
  ] as const)('%s', ([, kind]) =>
    trial.endure(async () => {
      const victim = trial.fleet[kind][1]!;
      victim.freeze();
      await pause(FAULT_MS);
      victim.thaw();
    }),
  );

  it('an api and a worker are restarted', () =>
    trial.endure(async () => {
      for (const one of [trial.fleet.apis[0]!, trial.fleet.workers[0]!]) {
        expect(await one.drain(), one.output().slice(-2_000)).toBe(0);
        await one.restart();
      }
    }));

  it('the clocks of an api and a worker are an hour ahead', () =>
    trial.endure(async () => {
      await trial.fleet.shiftClocks(HOUR_MS);
      await pause(FAULT_MS);
      await trial.fleet.shiftClocks(0);
    }));

  it('the clocks of an api and a worker are an hour behind', () =>
    trial.endure(async () => {
      await trial.fleet.shiftClocks(-HOUR_MS);
      await pause(FAULT_MS);
      await trial.fleet.shiftClocks(0);
    }));
});
