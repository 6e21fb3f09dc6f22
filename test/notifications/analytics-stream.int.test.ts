import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consumeSteps } from '../../src/domains/notifications/analytics/consume.js';
import { type Happenings, happeningsIn } from './analytics-happenings.js';
import { type AnalyticsWorld, openAnalyticsWorld } from './analytics-world.js';
import { deaths, mortal } from './mortal-postgres.js';
import { until } from './notification-world.js';
import { silent } from './with-sandbox.js';

let world: AnalyticsWorld;
let inWorld: Happenings;
const running = new AbortController().signal;

beforeAll(async () => {
  world = await openAnalyticsWorld();
  inWorld = happeningsIn(world);
});
afterAll(() => world.close());

describe('what happens', () => {
  it('is counted soon, before its minute is over', async () => {
    await inWorld.happen();
    await inWorld.allCounted();
    await inWorld.happen();
    await inWorld.allCounted();
  });

  it('is counted soon by a worker, without being asked', async () => {
    world.runSchedules();
    const worker = world.work({ providers: { close: async () => undefined } });
    await inWorld.happen();
    await until(inWorld.isExact);
    await worker.close();
  });

  it('is counted once, however many consumers are at it at once', async () => {
    for (let n = 0; n < 5; n++) {
      await inWorld.happen();
      await Promise.all(Array.from({ length: 4 }, () => world.consume()));
    }
    await inWorld.allTold();
    await Promise.all(Array.from({ length: 4 }, () => world.consume()));
    await inWorld.expectExact();
  });

  it('is counted once by a consumer that is killed before, between or after its statements, and run again', async () => {
    for (const { when, at } of deaths(5)) {
      await inWorld.happen();
      await inWorld.allTold();
      const dying = { postgres: mortal(world.postgres, when, at), redis: world.redis, logger: silent };
      await expect(consumeSteps(dying, running)).rejects.toThrow('killed');
      await world.consume();
      await inWorld.expectExact();
    }
  });

  it('is counted though another Redis, whose clock is slow, has taken over', async () => {
    await world.postgres.query("UPDATE notification_rollup_state SET stream_position = '9999999999999-0'");
    await inWorld.loseRedis();
    await inWorld.happen();
    await inWorld.allCounted();
  });
});
