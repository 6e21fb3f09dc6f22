import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordReports } from '../../src/domains/notifications/delivery/report.js';
import type { AddressEvent } from '../../src/domains/notifications/suppressions/address-event.js';
import { systemClock } from '../../src/platform/clock.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type CallbackWorld, openCallbackWorld } from './callback-world.js';
import { deaths, mortal } from './mortal-postgres.js';

let database: TestDatabase;
let postgres: Postgres;
let world: CallbackWorld;
beforeAll(async () => {
  [database, world] = await Promise.all([createTestDatabase(), openCallbackWorld()]);
  postgres = openPostgres(database.url, { max: 4, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await Promise.all([postgres.close(), world.close()]);
  await database.drop();
});

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const apply = (events: readonly AddressEvent[]) =>
  postgres.query('SELECT apply_address_events($1)', [JSON.stringify(events)]);

/** What the list should say of an address, one event after the other. */
function model() {
  let cause: string | undefined;
  let soft = new Map<string, number>();
  let removedAt = Number.NEGATIVE_INFINITY;
  return {
    learn({ kind, deliveryId, at }: AddressEvent): void {
      const now = at.getTime();
      if (kind === 'DELIVERED') {
        soft = new Map([...soft].filter(([, bounced]) => bounced > now));
        return;
      }
      if (kind === 'SOFT_BOUNCE' && !soft.has(deliveryId)) soft.set(deliveryId, now);
      const counted = [...soft.values()].filter((bounced) => bounced > now - 30 * DAY).length;
      const next = kind !== 'SOFT_BOUNCE' ? kind : counted >= 5 ? 'SOFT_BOUNCES' : undefined;
      if (!next || removedAt >= now) return;
      const isBounce = cause === 'SOFT_BOUNCES' || cause === 'HARD_BOUNCE';
      if (cause === undefined || cause === 'COMPLAINT' || (isBounce && next === 'STOP')) cause = next;
    },
    remove(now: number): void {
      if (cause !== undefined) removedAt = now;
      cause = undefined;
      soft.clear();
    },
    cause: () => cause,
  };
}

const step = fc.record({
  do: fc.constantFrom(
    'HARD_BOUNCE',
    'COMPLAINT',
    'STOP',
    'DELIVERED',
    'remove',
    ...Array(8).fill('SOFT_BOUNCE'),
  ),
  afterDays: fc.constantFrom(0, 0.1, 1, 9),
  repeated: fc.boolean(),
});

it('the list is what the events of an address add up to, in whatever batches they come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const address = `${randomUUID()}@Example.com`;
      const expected = model();
      let now = START;
      for (const { do: what, afterDays, repeated } of steps) {
        now += afterDays * DAY + 1;
        if (what === 'remove') {
          await postgres.query(
            `WITH begun_anew AS (DELETE FROM soft_bounces WHERE address = lower($1))
             UPDATE address_suppressions SET removed_at = $2 WHERE address = lower($1) AND removed_at IS NULL`,
            [address, new Date(now)],
          );
          expected.remove(now);
          continue;
        }
        const kind = what as AddressEvent['kind'];
        const event = {
          channel: 'email',
          address,
          kind,
          deliveryId: randomUUID(),
          at: new Date(now),
        } as const;
        // Providers write an address in another case than they got it in.
        await apply(repeated ? [event, { ...event, address: address.toUpperCase() }] : [event]);
        if (repeated) await apply([event]);
        expected.learn(event);
      }
      const { rows } = await postgres.query<{ cause: string }>(
        'SELECT cause FROM address_suppressions WHERE address = lower($1) AND removed_at IS NULL',
        [address],
      );
      expect(rows[0]?.cause).toBe(expected.cause());
    }),
    { numRuns: 60 },
  );
});

it('of five soft bounces at once the last one to be stored suppresses the address', async () => {
  for (let round = 0; round < 10; round++) {
    const address = `${randomUUID()}@example.com`;
    const one = (): AddressEvent => ({
      ...{ channel: 'email', address, kind: 'SOFT_BOUNCE' },
      ...{ deliveryId: randomUUID(), at: new Date(START) },
    });
    await Promise.all([apply([one(), one()]), apply([one()]), apply([one()]), apply([one()])]);
    const { rows } = await postgres.query('SELECT cause FROM address_suppressions WHERE address = $1', [
      address,
    ]);
    expect(rows).toEqual([{ cause: 'SOFT_BOUNCES' }]);
  }
});

it('many calls at once that name the same addresses in other orders all come to an end', async () => {
  const addresses = Array.from({ length: 30 }, () => `${randomUUID()}@example.com`);
  const batch = (kind: AddressEvent['kind'], order: readonly string[]): AddressEvent[] =>
    order.map((address) => ({
      channel: 'email',
      address,
      kind,
      deliveryId: randomUUID(),
      at: new Date(START),
    }));
  const kinds = ['SOFT_BOUNCE', 'DELIVERED', 'HARD_BOUNCE', 'SOFT_BOUNCE', 'COMPLAINT', 'DELIVERED'] as const;
  await Promise.all(kinds.map((kind, n) => apply(batch(kind, n % 2 ? addresses : addresses.toReversed()))));
  const { rows } = await postgres.query(
    'SELECT DISTINCT cause FROM address_suppressions WHERE address = ANY ($1)',
    [addresses],
  );
  expect(rows).toEqual([{ cause: 'HARD_BOUNCE' }]);
});

/** What `recordReports` needs, and nothing hears of it. */
const reportingOn = (on: Postgres): Parameters<typeof recordReports>[0] => ({
  ...{ postgres: on, queues: world.queues, clock: systemClock },
  wakeUps: { publish: async () => undefined },
  freshness: { userChanged: async () => undefined },
  lifecycle: { publish: () => undefined },
  metrics: { moved: () => undefined, delivered: () => undefined, engaged: () => undefined },
});

/** A database in which `count` transactions have all made their transitions before any of them goes on. */
function meetingAfterTransitions(count: number): Postgres {
  const { promise: all, resolve: goOn } = Promise.withResolvers<void>();
  let arrived = 0;
  return {
    ...world.postgres,
    transaction: (work) =>
      world.postgres.transaction((tx) =>
        work({
          async query(statement: Parameters<typeof tx.query>[0], values?: readonly unknown[]) {
            const result = await tx.query(statement, values);
            const text = typeof statement === 'string' ? statement : statement.text;
            if (text.includes('apply_transitions')) {
              arrived += 1;
              if (arrived === count) goOn();
              await all;
            }
            return result;
          },
        } as typeof tx),
      ),
  };
}

it('two batches of reports that bring news of two addresses in opposite order both come to an end', async () => {
  const inRetry = async () => (await world.inRetry('email', 1)).deliveries[0]!.deliveryId;
  const [moved, movedToo, over, overToo] = await Promise.all([inRetry(), inRetry(), inRetry(), inRetry()]);
  const failed = (deliveryId: string) => ({ deliveryId, kind: 'failed' }) as const;
  await recordReports(reportingOn(world.postgres), [failed(over), failed(overToo)], 'test');
  const [one, other] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
  const bounced = (deliveryId: string, address: string) =>
    ({ ...failed(deliveryId), address, addressFault: 'HARD_BOUNCE', at: new Date() }) as const;
  const meeting = reportingOn(meetingAfterTransitions(2));
  const outcomes = await Promise.all([
    recordReports(meeting, [bounced(moved, one), bounced(over, other)], 'test'),
    recordReports(meeting, [bounced(movedToo, other), bounced(overToo, one)], 'test'),
  ]);
  expect(outcomes).toEqual([
    ['recorded', 'unchanged'],
    ['recorded', 'unchanged'],
  ]);
  const { rows } = await world.postgres.query(
    'SELECT DISTINCT cause, count(*)::int AS count FROM address_suppressions WHERE address = ANY ($1) GROUP BY 1',
    [[one, other]],
  );
  expect(rows).toEqual([{ cause: 'HARD_BOUNCE', count: 2 }]);
});

it('a message that arrives and one that bounces in one batch count in the order in which it happened', async () => {
  const address = `${randomUUID()}@example.com`;
  const event = (kind: AddressEvent['kind'], after: number): AddressEvent => ({
    ...{ channel: 'email', address, kind },
    ...{ deliveryId: randomUUID(), at: new Date(START + after) },
  });
  const softBounces = async () =>
    (await postgres.query('SELECT FROM soft_bounces WHERE address = $1', [address])).rowCount;
  await apply([event('DELIVERED', 2), event('SOFT_BOUNCE', 1)]);
  expect(await softBounces()).toBe(0);
  await apply([event('DELIVERED', 2), event('SOFT_BOUNCE', 3)]);
  expect(await softBounces()).toBe(1);
});

it.each(deaths(7))(
  'a process that is killed $when its statement $at has recorded the bounce with the delivery’s end, or neither; a repeat does both',
  async ({ when, at }) => {
    const [delivery] = (await world.inRetry('email', 1)).deliveries;
    const { deliveryId, userId } = delivery!;
    const address = `${userId}@example.com`;
    const report = { deliveryId, kind: 'failed', addressFault: 'HARD_BOUNCE' } as const;
    const isListed = async () =>
      (await world.postgres.query('SELECT FROM address_suppressions WHERE address = $1', [address]))
        .rowCount === 1;
    await recordReports(reportingOn(mortal(world.postgres, when, at)), [report], 'test').catch(
      () => undefined,
    );
    expect(await isListed()).toBe((await world.statusOf(deliveryId)) === 'DEAD');
    await recordReports(reportingOn(world.postgres), [report], 'test');
    expect([await world.statusOf(deliveryId), await isListed()]).toEqual(['DEAD', true]);
  },
);
