import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Part } from '../support/patroni-machine.js';
import { hasPatroni } from '../support/patroni-programs.js';
import { askOnce } from './caller.js';
import { documents } from './documents.js';
import type { FleetPatroni } from './fleet-patroni.js';
import { startFleetPatroni } from './fleet-patroni.js';
import { openTrialOn, TRIED_MS, type Trial } from './trial.js';
import { LIVE_ACCOUNT } from './world.js';

/** How often the primary is killed; docs/production.md has what ten came to. */
const FAILOVERS = Number(process.env.FAILOVERS ?? 2);
/** From a kill to the first write that is acknowledged. */
const BACK_WITHIN_MS = 30_000;
/** Of one failover, with the rejoining of the member that was killed. */
const FAILOVER_MS = 180_000;
const POLL_MS = 50;

const isHere = hasPatroni();
let trial: Trial<FleetPatroni>;
beforeAll(async () => {
  if (isHere) trial = await openTrialOn(startFleetPatroni);
}, 240_000);
afterAll(() => trial?.close(), 60_000);

const cluster = () => trial.fleet.postgres.cluster;
let writes = 0;

/** @returns after how many milliseconds a write was acknowledged that was begun now */
async function nextWrite(): Promise<number> {
  const began = performance.now();
  const shop = trial.people.shop!;
  const id = `after-failover-${writes++}`;
  const input = { accountId: LIVE_ACCOUNT, amount: '1.00', description: id, commandId: id };
  for (let turn = 0; ; turn += 1) {
    const index = turn % trial.fleet.apis.length;
    const { url } = trial.fleet.apis[index]!;
    const { authorization } = shop.at[index]!;
    const answer = await askOnce(url, authorization, documents.deposit, { input }, trial.ledger.answers);
    if (answer.kind === 'data') {
      expect(answer.data.deposit.userErrors).toEqual([]);
      trial.ledger.deposits.set(id, 100);
      return performance.now() - began;
    }
    await pause(POLL_MS);
  }
}

/** Kills the primary, waits until writes are acknowledged again, and until the member that was killed follows. */
async function failOver(part: Part): Promise<void> {
  const old = (await cluster().primary())!;
  await cluster().kill(old, part);
  const backAfterMs = await nextWrite();
  process.stderr.write(
    `failover: ${old} killed (${part}), writes again after ${Math.round(backAfterMs)} ms\n`,
  );
  expect(await cluster().primary()).not.toBe(old);
  expect(backAfterMs).toBeLessThan(BACK_WITHIN_MS);
  await cluster().start(old);
  await cluster().untilInSync();
}

describe.skipIf(!isHere)('what is accepted is kept once, and every subscriber hears each event once', () => {
  it(
    'the primary of Postgres is killed, and the standby takes over',
    { timeout: TRIED_MS + FAILOVERS * FAILOVER_MS },
    () =>
      trial.endure(async () => {
        for (let n = 0; n < FAILOVERS; n += 1) await failOver(n % 2 === 0 ? 'all' : 'postgres');
      }),
  );
});
