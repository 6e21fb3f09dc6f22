import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Part } from '../support/patroni-machine.js';
import { hasPatroni } from '../support/patroni-programs.js';
import { askOnce } from './caller.js';
import { documents } from './documents.js';
import { ONE_OF_EACH } from './fleet.js';
import { type FleetPatroni, startFleetPatroni } from './fleet-patroni.js';
import { openTrial, TRIED_MS, type Trial } from './trial.js';
import { LIVE_ACCOUNT } from './world.js';

/** So many kills of a primary, and all other failovers, where somebody asks for it; docs/production.md has what came of ten. */
const { FAILOVERS } = process.env;
const KILLS = Number(FAILOVERS ?? 2);
const isShort = FAILOVERS === undefined;
/** From a kill to the first write that is acknowledged. */
const BACK_WITHIN_MS = 30_000;
/** Of one failover, until the member that was killed follows. */
const FAILOVER_MS = 180_000;
const POLL_MS = 50;

const isHere = hasPatroni();
let trial: Trial<FleetPatroni>;
beforeAll(async () => {
  if (isHere) trial = await openTrial({ ...ONE_OF_EACH, startPostgres: startFleetPatroni });
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

/** @param what happened, for people */
async function expectBack(what: string): Promise<void> {
  const ms = Math.round(await nextWrite());
  process.stderr.write(`failover: ${what}: writes again after ${ms} ms\n`);
  expect(ms).toBeLessThan(BACK_WITHIN_MS);
}

/** @param end takes a member away that is primary; @param back brings it back */
async function failOver(
  what: string,
  end: (member: string) => Promise<void>,
  back: (member: string) => unknown = (member) => cluster().start(member),
): Promise<void> {
  const old = (await cluster().primary())!;
  await end(old);
  await expectBack(what);
  expect(await cluster().primary()).not.toBe(old);
  await back(old);
  await cluster().untilInSync();
}

const kill = (part: Part) =>
  failOver(`${part} of the primary killed`, (member) => cluster().kill(member, part));

describe.skipIf(!isHere)(
  'what is accepted is kept once, and every subscriber hears each event once',
  {
    timeout: TRIED_MS + KILLS * FAILOVER_MS,
  },
  () => {
    it('the primary of Postgres is killed, and its standby takes over', () =>
      trial.endure(async () => {
        for (let n = 0; n < KILLS; n += 1) await kill(n % 2 === 0 ? 'all' : 'postgres');
      }));

    it.skipIf(isShort)('Patroni is killed, and the primary that it ran goes on beside the new one', () =>
      trial.endure(() =>
        failOver('Patroni of the primary killed', async (member) => {
          await cluster().kill(member, 'patroni');
          // Until its lease of being primary is over it serves on, for those that are connected.
          await vi.waitFor(async () => expect(await cluster().primary()).not.toBe(member), {
            timeout: BACK_WITHIN_MS,
            interval: POLL_MS,
          });
        }),
      ),
    );

    it.skipIf(isShort)('the primary of Postgres is frozen, and goes on beside the new one', () =>
      trial.endure(() =>
        failOver(
          'the primary frozen',
          (member) => cluster().freeze(member),
          (member) => cluster().thaw(member),
        ),
      ),
    );

    it.skipIf(isShort)('the synchronous standby of Postgres is killed', () =>
      trial.endure(async () => {
        const standby = (await cluster().primary()) === 'a' ? 'b' : 'a';
        await cluster().kill(standby, 'all');
        await expectBack('the standby killed');
        await cluster().start(standby);
        await cluster().untilInSync();
      }),
    );

    it.skipIf(isShort)('the primary of Postgres hands over to its standby', () =>
      trial.endure(() => failOver('handed over', () => cluster().switchOver())),
    );
  },
);
