import { expect } from 'vitest';
import type { RollupState } from '../../src/domains/notifications/analytics/state.js';
import { readState } from '../../src/domains/notifications/analytics/state.js';
import { LIFECYCLE_EVENTS } from '../support/lifecycle-events.js';
import { forgetAll } from '../support/redis.js';
import { type AnalyticsWorld, MINUTE } from './analytics-world.js';
import { until } from './notification-world.js';

/** What tests of counting do to a world. */
export function happeningsIn(world: AnalyticsWorld) {
  let toldFrom = 0;
  const isExact = async () => JSON.stringify(await world.stored()) === JSON.stringify(await world.truth());
  const expectExact = async () => expect(await world.stored()).toEqual(await world.truth());

  /** Waits until the stream has published all that happened. */
  async function allTold(): Promise<void> {
    await until(async () => {
      const { rows } = await world.postgres.query<{ events: number }>(
        `SELECT count(*)::int AS events FROM ${LIFECYCLE_EVENTS} AS e WHERE at >= $1`,
        [new Date(toldFrom)],
      );
      const entries = await world.redis.xrange('tidings:notifications:lifecycle', '-', '+');
      const steps = entries.flatMap(([, fields]) => JSON.parse(fields[1]!) as unknown[][]);
      const told = steps.reduce((sum, one) => sum + (one[8] as []).length + (one[9] as []).length, 0);
      return told >= rows[0]!.events;
    });
  }

  return {
    /** Some of everything, now and within the next two seconds. */
    async happen(): Promise<void> {
      const ids = [...(await world.send()), ...(await world.send({ type: 'PASSWORD_RESET' }))];
      world.now += 700;
      await world.report(ids.slice(0, 3), 'sent', 'delivered');
      world.now += 1_300;
      await world.report(ids.slice(0, 2), 'opened', 'clicked');
      await world.scan(ids.slice(2, 3));
      await world.report(ids.slice(3), 'sent', 'failed');
    },
    allTold,
    isExact,
    expectExact,
    expectInexact: async () => expect(await world.stored()).not.toEqual(await world.truth()),
    /** Consumes until everything is counted as it was. */
    allCounted: () =>
      until(async () => {
        await world.consume();
        return isExact();
      }, 5_000).catch(expectExact),
    /** Redis loses what was published, which is all that happened. */
    async loseRedis(): Promise<void> {
      await allTold();
      await forgetAll(world.redis);
      world.now += 1;
      toldFrom = world.now;
    },
    /** Three minutes go by, and every minute so far is closed. */
    async close(): Promise<void> {
      world.now += 3 * MINUTE;
      await world.reconcile();
    },
    stateOf: (): Promise<RollupState> => readState(world.postgres),
  };
}

export type Happenings = ReturnType<typeof happeningsIn>;
