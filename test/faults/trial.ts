import { setTimeout as pause } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { type Audience, openAudience } from './audience.js';
import { documents } from './documents.js';
import { type Fleet, type FleetGround, type FleetServer, openFleet } from './fleet.js';
import { type Load, startLoad } from './fleet-load.js';
import type { FleetDatabase } from './fleet-postgres.js';
import { type Ledger, newLedger } from './ledger.js';
import { broken, unsettled } from './oracle.js';
import { shownWrongly } from './shown.js';
import { type People, settle, TYPE } from './world.js';

/** How long each fault goes on. */
export const FAULT_MS = Number(process.env.FAULT_SECONDS ?? 2) * 1_000;
const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
/** Whatever happened, everything is worked off within this; a crowded machine included. */
const SETTLED_MS = Number(process.env.FAULT_SETTLE_MS ?? 90_000);
/** What a test of one fault may take. */
export const TRIED_MS = FAULT_MS + 240_000;
const WATCHED_ORDERS = 3;
const UNTIL_THERE = { timeout: 60_000, interval: 50 };

/** A fleet under load with subscribers on every process, on which faults are tried one after the other. */
export interface Trial<
  Database extends FleetDatabase = FleetDatabase,
  Server extends FleetServer = FleetServer,
> {
  readonly fleet: Fleet<Database, Server>;
  readonly people: People;
  readonly ledger: Ledger;
  readonly audience: Audience;
  /**
   * Lets `fault` happen under load, with orders and notifications followed by subscribers; then waits until everything is worked off
   * and holds all that was acknowledged, hidden, heard and answered against what is there.
   *
   * @param fault resolves when it is over
   */
  endure(fault: () => Promise<unknown>): Promise<void>;
  /** The load begins nothing, and what it began is answered. */
  quiet(): Promise<void>;
  /** Nothing waits any more, and nothing is wrong. */
  expectSound(): Promise<void>;
  close(): Promise<void>;
}

/** Close it in `afterAll`. */
export async function openTrial<Database extends FleetDatabase, Server extends FleetServer>(
  ground: FleetGround<Database, Server>,
): Promise<Trial<Database, Server>> {
  const fleet = await openFleet(ground);
  const ledger = newLedger();
  const people = await settle(fleet);
  const audience = openAudience(fleet, people);
  const load: Load = startLoad(fleet, people, ledger, SEED);
  let round = 0;

  /** Subscriptions begin when the server listens: posts come until each has heard one. */
  await vi.waitFor(
    () =>
      expect(
        audience.all.filter(({ name, heard }) => /^(feed|account)/.test(name) && heard.length === 0),
      ).toEqual([]),
    UNTIL_THERE,
  );

  async function look(): Promise<readonly string[]> {
    const onTheWay = [...(await unsettled(fleet)), ...(await audience.faults())];
    if (onTheWay.length > 0) return onTheWay;
    return [...(await broken(fleet, ledger)), ...(await shownWrongly(fleet, people, ledger))];
  }

  async function expectSound(): Promise<void> {
    await load.pause();
    const surprises = (): string[] =>
      [...fleet.apis, ...fleet.workers].flatMap((one) => one.surprise() ?? []);
    const began = Date.now();
    let wrong: readonly string[] = [];
    do {
      wrong = await look().catch((error: Error) => [`looking failed: ${error.message}`]);
      if (wrong.length > 0) await pause(100);
    } while (wrong.length > 0 && surprises().length === 0 && Date.now() - began < SETTLED_MS);
    process.stderr.write(
      `faults: settled after ${Date.now() - began} ms; ${JSON.stringify(Object.fromEntries(ledger.answers.counts))}\n`,
    );
    const all = [
      ...surprises(),
      ...wrong,
      ...ledger.violations.splice(0),
      ...ledger.answers.surprises.splice(0),
    ];
    audience.forgive();
    expect(some(all), `repeat with FAULT_SEED=${SEED} FAULT_SECONDS=${FAULT_MS / 1_000}`).toEqual([]);
  }

  /** Orders whose only change, and notifications whose release, falls into the fault. */
  async function watchSome(): Promise<() => Promise<unknown>> {
    round += 1;
    const shop = people.shop!;
    const orderIds = Array.from({ length: WATCHED_ORDERS }, (_, n) => `watched-${SEED}-${round}-${n}`);
    const notificationId = `watched-${SEED}-${round}`;
    for (const orderId of orderIds) {
      const { placeOrder } = await shop.at[0]!.run(documents.place, {
        input: {
          orderId,
          customerId: 'cust-0',
          items: [{ productId: 'prod-0', quantity: 1, price: '2.00' }],
          shippingAddress: { city: 'Bremen', zip: '28195' },
        },
      });
      expect(placeOrder.userErrors).toEqual([]);
      ledger.orders.set(orderId, 'CONFIRMED');
    }
    await shop.at[0]!.run(documents.send, {
      input: {
        notificationId,
        type: TYPE,
        priority: 'MEDIUM',
        templateId: 'faults',
        scheduleAt: new Date(Date.now() + FAULT_MS / 2).toISOString(),
        recipients: [{ userId: 'reader', channels: ['PUSH'], variables: { n: notificationId } }],
      },
    });
    ledger.notifications.set(notificationId, 'PUSH');
    await vi.waitFor(async () => {
      const { rows } = await fleet.postgres.admin.query(`SELECT FROM orders WHERE order_id = ANY ($1)`, [
        orderIds,
      ]);
      expect(rows.length).toBe(orderIds.length);
    }, UNTIL_THERE);
    audience.watch(orderIds, [notificationId]);
    return () =>
      Promise.all(
        orderIds.map(async (orderId, index) => {
          await pause((FAULT_MS * index) / WATCHED_ORDERS);
          await load.answered(people.shop!, documents.ship, {
            input: { orderId, commandId: `ship-${orderId}`, trackingNumber: 'T1' },
          });
          ledger.orders.set(orderId, 'SHIPPED');
        }),
      );
  }

  return {
    fleet,
    people,
    ledger,
    audience,
    expectSound,
    quiet: () => load.pause(),
    async endure(fault) {
      const ship = await watchSome();
      load.resume();
      const happened = await Promise.allSettled([fault(), ship()]);
      // A fault that broke off leaves nobody down: what follows would wait for them, and hide why.
      if (happened.some(({ status }) => status === 'rejected')) await fleet.revive();
      const sound = await Promise.allSettled([expectSound()]);
      await audience.forgetWatched();
      // What ended by itself has failed this test, and not the next.
      await fleet.revive();
      for (const one of [...happened, ...sound]) if (one.status === 'rejected') throw one.reason;
    },
    async close() {
      await load.stop();
      await audience.close();
      await fleet.close();
    },
  };
}

const MOST_SHOWN = 12;
const some = (all: readonly string[]): readonly string[] =>
  all.length > MOST_SHOWN ? [...all.slice(0, MOST_SHOWN), `and ${all.length - MOST_SHOWN} more`] : all;
