import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ONE_OF_EACH } from './fleet.js';
import type { FleetPostgres } from './fleet-postgres.js';
import { FAULT_MS, openTrial, TRIED_MS, type Trial } from './trial.js';

let trial: Trial<FleetPostgres>;
beforeAll(async () => {
  trial = await openTrial(ONE_OF_EACH);
}, 240_000);
afterAll(() => trial?.close(), 60_000);

const postgres = () => trial.fleet.postgres;

describe('what is accepted is kept once, what is hidden stays hidden, every subscriber hears each event once', {
  timeout: TRIED_MS,
}, () => {
  it('Postgres is killed', () =>
    trial.endure(async () => {
      await postgres().kill();
      await pause(FAULT_MS / 2);
      await postgres().start();
    }));

  it('Postgres is restarted at once', () =>
    trial.endure(async () => {
      await postgres().stopAtOnce();
      await postgres().start();
    }));

  it('Postgres is frozen', () =>
    trial.endure(async () => {
      await postgres().freeze();
      await pause(FAULT_MS);
      await postgres().thaw();
    }));

  it('all connections to Postgres are cut again and again', () =>
    trial.endure(async () => {
      const until = Date.now() + FAULT_MS;
      while (Date.now() < until) {
        await postgres().cut();
        await pause(150);
      }
    }));

  it('Postgres takes no more connections', () =>
    trial.endure(async () => {
      await postgres().refuse();
      await postgres().cut();
      await pause(FAULT_MS);
      await postgres().accept();
    }));

  it('every connection of the pools is taken', () =>
    trial.endure(async () => {
      const release = await postgres().block();
      await pause(FAULT_MS);
      await release();
    }));

  it('the disk of Postgres is full', () =>
    trial.endure(async () => {
      await postgres().fillDisk();
      await pause(FAULT_MS);
      await postgres().freeDisk();
    }));
});
