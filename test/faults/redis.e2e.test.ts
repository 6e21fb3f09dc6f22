import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { documents } from './documents.js';
import { ONE_OF_EACH } from './fleet.js';
import type { FleetPostgres } from './fleet-postgres.js';
import type { FleetRedis } from './fleet-redis.js';
import { contentOf } from './ledger.js';
import { FAULT_MS, openTrial, TRIED_MS, type Trial } from './trial.js';
import { LIVE_ACCOUNT, TYPE } from './world.js';

/** What docs/operations.md promises is 5 s; the rest is for a crowded machine, and below every sweeper and poll. */
const HEARD_WITHIN_MS = 9_000;

let trial: Trial<FleetPostgres, FleetRedis>;
beforeAll(async () => {
  trial = await openTrial(ONE_OF_EACH);
}, 240_000);
afterAll(() => trial?.close(), 60_000);

const redis = () => trial.fleet.redis;

describe('what is accepted is kept once, what is hidden stays hidden, every subscriber hears each event once', {
  timeout: TRIED_MS,
}, () => {
  it('Redis is killed and comes back empty', () =>
    trial.endure(async () => {
      await redis().kill();
      await pause(FAULT_MS);
      await redis().restart();
    }));

  it('Redis is frozen', () =>
    trial.endure(async () => {
      redis().freeze();
      await pause(FAULT_MS);
      redis().thaw();
    }));

  it('Redis forgets everything', () =>
    trial.endure(async () => {
      for (let times = 0; times < 4; times += 1) {
        await redis().forget();
        await pause(FAULT_MS / 4);
      }
    }));

  it('Redis forgets everything while an api is frozen', async () => {
    await trial.expectSound();
    const [heard, frozen] = trial.fleet.apis;
    try {
      frozen!.freeze();
      await happen();
      await vi.waitFor(
        async () =>
          expect((await trial.audience.faults()).filter((one) => one.includes(heard!.name))).toEqual([]),
        { timeout: 20_000, interval: 50 },
      );
      await redis().forget();
      frozen!.thaw();
      await vi.waitFor(async () => expect(await trial.audience.faults()).toEqual([]), {
        timeout: HEARD_WITHIN_MS,
        interval: 50,
      });
    } finally {
      frozen!.thaw();
      await trial.expectSound();
    }
  });

  it('all connections to Redis are cut again and again', () =>
    trial.endure(async () => {
      const until = Date.now() + FAULT_MS;
      while (Date.now() < until) {
        await redis().cut();
        await pause(150);
      }
    }));

  it('Redis is full', () =>
    trial.endure(async () => {
      await redis().fill();
      await pause(FAULT_MS);
      await redis().makeWritable();
    }));

  it('Redis is read-only', () =>
    trial.endure(async () => {
      await redis().makeReadOnly();
      await pause(FAULT_MS);
      await redis().makeWritable();
    }));

  it('Redis comes back with an older copy', () =>
    trial.endure(async () => {
      const older = await redis().snapshot();
      await pause(FAULT_MS);
      await redis().kill();
      await redis().restart(older);
    }));

  it('Redis fails over, and the old primary keeps its connections', () =>
    trial.endure(async () => {
      await redis().failOver('demoted');
      await pause(FAULT_MS);
    }));

  it('Redis fails over, and the old primary still takes writes', () =>
    trial.endure(async () => {
      await redis().failOver('cut off');
      await pause(FAULT_MS);
    }));

  it('every key of Redis holds what nobody wrote', () =>
    trial.endure(async () => {
      expect(await redis().spoil()).toBeGreaterThan(10);
      await pause(FAULT_MS);
    }));
});

/** Several events for each subscriber, by the first api. */
async function happen(): Promise<void> {
  const { people, ledger } = trial;
  for (let n = 0; n < 5; n += 1) {
    const key = `quiet-${n}`;
    const author = `kept-${n % 2}`;
    const { publishPost } = await people[author]!.at[0]!.run(documents.publish, {
      input: { content: contentOf(key, 0), idempotencyKey: key },
    });
    const { postId } = publishPost.post!;
    ledger.posts.set(key, { postId, author, edit: 0, editing: 0, deleted: false });
    await people.shop!.at[0]!.run(documents.deposit, {
      input: { accountId: LIVE_ACCOUNT, amount: '1', description: key, commandId: key },
    });
    ledger.deposits.set(key, 100);
    await people.shop!.at[0]!.run(documents.send, {
      input: {
        notificationId: key,
        type: TYPE,
        priority: 'MEDIUM',
        templateId: 'faults',
        recipients: [{ userId: 'reader', channels: ['IN_APP'], variables: { n: key } }],
      },
    });
    ledger.notifications.set(key, 'IN_APP');
  }
}
