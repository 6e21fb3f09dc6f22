import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AlertChanges } from '../../src/domains/notifications/alerts/evaluate.js';
import type { AlertUpdate } from '../../src/domains/notifications/alerts/index.js';
import { recordChanges } from '../../src/domains/notifications/alerts/record.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { encodeCursor } from '../../src/platform/paging.js';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  openSubscriptions,
  type WakeUpHub,
} from '../../src/platform/wake-ups/wake-ups.js';
import { forgetAll } from '../support/redis.js';
import { giveUp, sendPushes } from './dead-letter-world.js';
import { aTemplate, type NotificationWorld, openNotificationWorld } from './notification-world.js';
import { silent } from './with-sandbox.js';

let world: NotificationWorld;
let hub: WakeUpHub;
let templateId: string;
/** Now, as far as notifications are concerned. */
let now = 1_795_348_800_000;
const clock = { now: () => now };
const leaving = new AbortController();

beforeAll(async () => {
  world = await openNotificationWorld(clock);
  hub = createWakeUpHub(
    openBlockingRedis(world.redisUrl.split(','), () => undefined),
    openSubscriptions(world.redis),
    silent,
  );
  await hub.ready;
  templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED');
});
afterAll(async () => {
  leaving.abort();
  hub.close();
  await world.close();
});
beforeEach(() => {
  now += 3_600_000;
});
afterEach(() => world.postgres.query('UPDATE alerts SET resolved_at = now() WHERE resolved_at IS NULL'));

const watch = () => world.notifications.alerts.watch;
const active = async () =>
  (await world.notifications.alerts.list(true)).map(({ name, scope }) => `${name} ${scope}`);
/** Looks every 10 s, as the schedule does. */
async function lookFor(seconds: number): Promise<void> {
  for (const end = now + seconds * 1_000; now < end; ) {
    now += 10_000;
    await watch().look();
  }
}
const died = async (count: number) => giveUp(world, await sendPushes(world, templateId, count), { at: now });
const RATE = 'dead_letter_failure_rate push';

const record = (verdict: Partial<AlertChanges>) =>
  recordChanges(
    { ...world, wakeUps: createWakeUpPublisher(world.redis), clock, ids: uuidV7Ids(clock), logger: silent },
    { raise: [], resolve: [], ...verdict },
  );
const anAlert = (scope: string) => ({
  name: 'made_up',
  scope,
  severity: 'WARNING' as const,
  message: 'Made up',
  value: 2,
  threshold: 1,
});

/** The cursor after all that has happened so far. */
async function here(): Promise<string> {
  const { rows } = await world.postgres.query<{ change: number }>(
    'SELECT coalesce(max(change), 0) AS change FROM alerts',
  );
  return encodeCursor(rows[0]!.change);
}

/** Follows until so many came. */
async function follow(after: string | null, count: number): Promise<AlertUpdate[]> {
  const updates: AlertUpdate[] = [];
  for await (const update of world.notifications.alerts.follow(hub, after, leaving.signal)) {
    updates.push(update);
    if (updates.length === count) break;
  }
  return updates;
}

describe('alerts', () => {
  it('are raised when a rule is breached, and resolved when that is over', async () => {
    await lookFor(20);
    await died(3);
    await lookFor(10);
    expect(await world.notifications.alerts.list(true)).toEqual([
      expect.objectContaining({
        name: 'dead_letter_failure_rate',
        scope: 'push',
        severity: 'CRITICAL',
        value: 1,
        threshold: 0.05,
        message: '100.0 % of push deliveries were given up in 5 minutes: 3 of 3',
        resolvedAt: null,
      }),
    ]);
    const raisedAt = now;
    await lookFor(340);
    expect(await active()).toContain(RATE);
    await lookFor(30);
    expect(await active()).not.toContain(RATE);
    const [resolved] = await world.notifications.alerts.list(false);
    expect(resolved!.raisedAt.getTime()).toBe(raisedAt);
    expect(resolved!.resolvedAt!.getTime()).toBeGreaterThan(raisedAt + 300_000);
  });

  it('are raised once, however many processes look at once and again', async () => {
    await lookFor(20);
    await died(3);
    now += 10_000;
    await Promise.all(Array.from({ length: 8 }, () => watch().look()));
    await Promise.all(Array.from({ length: 8 }, () => watch().lookAtDeadLetters()));
    await lookFor(20);
    expect(await active()).toEqual([RATE]);
  });

  it('do not wait for the next look where a dead letter is handled', async () => {
    await lookFor(20);
    await died(2);
    await watch().lookAtDeadLetters();
    expect(await active()).toEqual([RATE]);
  });

  it('of the first dead letters of a fleet that has just started are raised as well', async () => {
    await forgetAll(world.redis);
    await died(2);
    now += 2_000;
    await watch().lookAtDeadLetters();
    expect(await active()).toEqual([RATE]);
  });

  it('stay as they are when Redis loses all it knows, and are resolved all the same', async () => {
    await lookFor(20);
    await died(3);
    await lookFor(10);
    await forgetAll(world.redis);
    await lookFor(240);
    expect(await active()).toEqual([RATE]);
    await forgetAll(world.redis);
    await lookFor(150);
    expect(await active()).toEqual([]);
  });

  it('take what another version has left in Redis for nothing, and go on', async () => {
    await world.redis.set('tidings:alert-observations', JSON.stringify([{ at: now, latency: [1, 2] }]));
    await died(2);
    await lookFor(10);
    expect(await active()).toEqual([RATE]);
  });

  it('are not held up by an observation of a machine whose clock is ahead', async () => {
    now += 7_200_000;
    await lookFor(10);
    now -= 7_200_000;
    await died(2);
    await lookFor(10);
    expect(await active()).toEqual([RATE]);
  });
});

describe('a subscriber of alerts', () => {
  it('gets each as it is raised and again as it is resolved', async () => {
    const following = world.notifications.alerts.follow(hub, await here(), leaving.signal);
    const next = async () => (await following.next()).value as AlertUpdate;
    const raised = next();
    await record({ raise: [anAlert('live')] });
    const { alert } = await raised;
    expect(alert).toMatchObject({ scope: 'live', resolvedAt: null });
    const resolved = next();
    await record({ resolve: [alert] });
    expect((await resolved).alert).toMatchObject({ alertId: alert.alertId, resolvedAt: new Date(now) });
    await following.return(undefined);
  });

  it('without a cursor gets what is to come', async () => {
    await record({ raise: [anAlert('before')] });
    const first = follow(null, 1);
    const heard = first.then(() => true);
    for (let n = 0, done = false; !done; n++) {
      await record({ raise: [anAlert(`live-${n}`)] });
      done = await Promise.race([heard, pause(20, false)]);
    }
    expect((await first)[0]!.alert.scope).toMatch(/^live-/);
  });

  it('goes on from any cursor, and misses and repeats nothing', async () => {
    const start = await here();
    const scopes = Array.from({ length: 5 }, (_, n) => `n${n}`);
    await record({ raise: scopes.map(anAlert) });
    const all = await follow(start, 5);
    expect(all.map(({ alert }) => alert.scope)).toEqual(scopes);
    for (const at of [0, 2, 3]) expect(await follow(all[at]!.cursor, 4 - at)).toEqual(all.slice(at + 1));

    await record({ resolve: [all[1]!.alert] });
    const rest = await follow(all[0]!.cursor, 4);
    expect(rest.map(({ alert }) => alert.scope)).toEqual(['n2', 'n3', 'n4', 'n1']);
  });

  it('sees changes in the order in which they were committed, though many are made at once', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `m${n}`);
    const [live] = await Promise.all([
      follow(await here(), 30),
      ...many.map((scope) => record({ raise: [anAlert(scope)] })),
    ]);
    expect(new Set(live.map(({ alert }) => alert.scope))).toEqual(new Set(many));
    const changes = live.map(({ alert }) => alert.change);
    expect(changes).toEqual(changes.toSorted((one, other) => one - other));
  });

  it('is refused a cursor that was not given here', async () => {
    await expect(follow('rubbish', 1)).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });

  it('is forgotten when it leaves', async () => {
    const gone = new AbortController();
    const following = world.notifications.alerts.follow(hub, null, gone.signal);
    const waiting = following.next();
    gone.abort();
    expect(await waiting).toMatchObject({ done: true });
  });
});
