import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetting } from './forgetting.js';
import { dying, LIMIT, type MonthToForget, nothing, openMonthToForget, reached } from './month-to-forget.js';
import { type Accepted, DAY_MS, monthAfter } from './months-world.js';

let world: MonthToForget['world'];
let month: MonthToForget['month'];
let due: MonthToForget['due'];
let aProcess: MonthToForget['aProcess'];
let forget: MonthToForget['forget'];
let sent: MonthToForget['sent'];
let left: MonthToForget['left'];
let monthsLeft: MonthToForget['monthsLeft'];
beforeEach(async () => {
  ({ world, month, due, aProcess, forget, sent, left, monthsLeft } = await openMonthToForget());
});
afterEach(() => world.close());

describe('a month of requests', () => {
  it('goes as a whole once all of it is old enough, and not before', async () => {
    const [over, later] = [await sent(), await sent(monthAfter(month, 1))];
    // The first partition was over before.
    expect(await forget(new Date(due.getTime() - 1))).toBe(1);
    expect(await left(over)).toMatchObject({ requests: 1, deliveries: 1, targets: 1 });
    expect(await forget()).toBe(1);
    expect(await left(over)).toEqual(nothing);
    expect(await left(later)).toMatchObject({ requests: 1, deliveries: 1, targets: 1 });
    expect(await monthsLeft()).toEqual([]);
    expect(
      await world.rows(
        "SELECT FROM pg_class WHERE relname ~ '^(deliveries|notification_requests)_first$|^delivery_targets$'",
      ),
    ).toEqual([]);
    // Deliveries go on, in the order in which they were made.
    const next = await world.accept(monthAfter(month, 1));
    expect(await left(next)).toMatchObject({ requests: 1, deliveries: 1 });
  });

  it('leaves what waits, an open dead letter, and what was queued, given up or settled lately, and these can be finished', async () => {
    const over = await sent();
    const queued = await world.accept(month);
    const scheduled = await world.accept(month, { status: 'SCHEDULED' });
    const dead = await world.accept(month, { channels: ['push', 'sms'] });
    await world.step(dead.deliveryIds[1]!, month, 'SENT', reached);
    await world.step(dead.deliveryIds[0]!, month, 'DEAD', {
      ...dying,
      targets: [{ target: 'phone', error: 'gone', providerId: null }],
    });
    const settled = await world.accept(month);
    const released = await world.accept(month, { status: 'SCHEDULED' });
    await world.step(released.deliveryIds[0]!, new Date(due.getTime() - DAY_MS), 'QUEUED');
    await world.step(released.deliveryIds[0]!, new Date(due.getTime() - DAY_MS), 'SENT', reached);
    const settledLongAgo = await world.accept(month);
    for (const { deliveryIds } of [settled, settledLongAgo])
      await world.step(deliveryIds[0]!, month, 'DEAD', dying);
    const settle = (of: Accepted, at: Date) =>
      world.rows('UPDATE failed_notifications SET settled_at = $2 WHERE delivery_id = ANY ($1)', [
        of.deliveryIds,
        at,
      ]);
    await settle(settled, new Date(due.getTime() - DAY_MS));
    await settle(settledLongAgo, month);
    // By the database's clock, which is months behind, it was given up before anybody looked.
    await world.rows(
      "UPDATE failed_notifications SET failed_at = now() - interval '1 day' WHERE delivery_id = ANY ($1)",
      [settledLongAgo.deliveryIds],
    );
    const pending = () =>
      world.rows('SELECT delivery_id, status, sequence, due_at FROM pending_deliveries ORDER BY 1');
    const before = await pending();
    const kept = [queued, scheduled, dead, settled, released];
    const rowsBefore = await Promise.all(kept.map(left));

    expect(await forget()).toBe(2);
    expect(await monthsLeft()).toEqual([]);
    expect(await Promise.all([over, settledLongAgo].map(left))).toEqual([nothing, nothing]);
    expect(await Promise.all(kept.map(left))).toEqual(rowsBefore);
    expect(await pending()).toEqual(before);

    // They go on from there: to the end, and by another attempt.
    for (const { deliveryIds } of [queued, scheduled])
      expect(await world.step(deliveryIds[0]!, due, 'SENT', reached)).toHaveLength(1);
    await world.step(dead.deliveryIds[0]!, due, 'QUEUED');
    expect(await world.step(dead.deliveryIds[0]!, due, 'SENT', reached)).toHaveLength(1);
    expect(
      await world.rows('SELECT error FROM target_outcomes WHERE delivery_id = $1', [dead.deliveryIds[0]]),
    ).toEqual([{ error: null }]);
    expect(await pending()).toEqual([]);

    // Once they are over they are forgotten one by one.
    await world.rows('UPDATE failed_notifications SET settled_at = $1', [due]);
    const { requests } = forgetting(world.postgres, { now: () => due.getTime() + 91 * DAY_MS });
    while ((await requests(LIMIT)) === LIMIT);
    expect(await Promise.all(kept.map(left))).toEqual(kept.map(() => nothing));
  });

  it('leaves what waits for a digest, but not what went out with one', async () => {
    const [waiting, gone] = [await world.accept(month), await world.accept(month)];
    for (const { deliveryIds } of [waiting, gone])
      await world.step(deliveryIds[0]!, month, 'SUPPRESSED', { suppression: 'DIGESTED' });
    await world.rows("INSERT INTO digest_items VALUES ($1, 'digest-1', $2)", [waiting.deliveryIds[0], due]);
    expect(await forget()).toBe(2);
    expect(await left(waiting)).toMatchObject({ requests: 1, deliveries: 1 });
    expect(await left(gone)).toEqual(nothing);
    expect(await world.step(waiting.deliveryIds[0]!, due, 'QUEUED')).toHaveLength(1);
  });

  it('leaves a request whose fallback was made in another month, and a fallback whose request is kept', async () => {
    const next = monthAfter(month, 1);
    await world.sweepAt(next);
    const across = await world.accept(month, { fallbackChannels: ['email'] });
    const [{ fallbackId } = { fallbackId: null }] = await world.step(
      across.deliveryIds[0]!,
      next,
      'DEAD',
      dying,
    );
    await world.step(fallbackId!, next, 'SENT', reached);
    await world.rows('UPDATE failed_notifications SET settled_at = $1', [month]);
    const before = { ...(await left(across)) };
    await forget();
    expect(await monthsLeft()).toEqual([]);
    expect(await left(across)).toEqual(before);
    // The month of the fallback goes, and its request is there yet: it is kept for an open dead letter.
    await world.rows('UPDATE failed_notifications SET settled_at = NULL');
    await forget(new Date(monthAfter(month, 2).getTime() + 90 * DAY_MS));
    expect(await left(across)).toEqual(before);
    await world.rows('UPDATE failed_notifications SET settled_at = $1', [month]);
    const { requests } = forgetting(world.postgres, { now: () => due.getTime() + 91 * DAY_MS });
    while ((await requests(LIMIT)) === LIMIT);
    expect(await left(across)).toEqual(nothing);
  });

  it('counts what is kept once, however its deliveries lie on the pages', async () => {
    const kept = await world.accept(month, { channels: ['push', 'sms', 'email'] });
    await forget(new Date(due.getTime() - 1));
    const { step, dropped } = aProcess(due, 3);
    while ((await step(1)) > 0);
    expect(dropped()).toBe(1);
    expect(await left(kept)).toMatchObject({ requests: 1, deliveries: 3 });
  });

  it('stays where more of it is kept than can be moved at once; a week later the others go one by one', async () => {
    const kept = await Promise.all([1, 2, 3].map(() => world.accept(month)));
    const over = await sent();
    await forget(due, 2);
    expect(await monthsLeft()).toHaveLength(3);
    const forgetRows = async (at: number) => {
      const { requests } = forgetting(world.postgres, { now: () => at });
      while ((await requests(LIMIT)) === LIMIT);
    };
    await forgetRows(due.getTime() + 6 * DAY_MS);
    expect(await left(over)).toMatchObject({ requests: 1 });
    await forgetRows(due.getTime() + 8 * DAY_MS);
    expect(await left(over)).toEqual(nothing);
    expect(await Promise.all(kept.map(left))).toMatchObject(kept.map(() => ({ requests: 1, deliveries: 1 })));
    await forget(due, 3);
    expect(await monthsLeft()).toEqual([]);
    expect(await Promise.all(kept.map(left))).toMatchObject(kept.map(() => ({ requests: 1, deliveries: 1 })));
  });

  it('has its days of lifecycle events for as long as it is there', async () => {
    const day = month.toISOString().slice(0, 10);
    await world.rows('SELECT ensure_delivery_event_partitions($1::date - 1, 1)', [day]);
    const [over, kept] = [await sent(), await world.accept(month)];
    const events = async ({ requestId }: Accepted) =>
      (await world.rows('SELECT FROM delivery_events WHERE request_id = $1', [requestId])).length;
    const forgetDays = async (at: Date) => {
      const { eventDays } = forgetting(world.postgres, { now: () => at.getTime() });
      while ((await eventDays(LIMIT)) === LIMIT);
    };
    await forgetDays(new Date(due.getTime() - 1));
    expect([await events(over), await events(kept)]).toEqual([2, 1]);
    await forget();
    await forgetDays(due);
    expect([await events(over), await events(kept)]).toEqual([0, 1]);
  });

  it('that stays holds its days of lifecycle events back for a week only', async () => {
    const day = month.toISOString().slice(0, 10);
    await world.rows('SELECT ensure_delivery_event_partitions($1::date - 1, 1)', [day]);
    const [over, kept] = [await sent(), await world.accept(month)];
    const dayIsThere = async () =>
      (
        await world.rows('SELECT FROM pg_class WHERE relname = $1', [
          `delivery_events_${day.replaceAll('-', '')}`,
        ])
      ).length === 1;
    const forgetRows = async (at: number) => {
      const { requests, eventDays } = forgetting(world.postgres, { now: () => at });
      while ((await requests(LIMIT)) === LIMIT);
      while ((await eventDays(LIMIT)) === LIMIT);
    };
    await forgetRows(due.getTime() + 6 * DAY_MS);
    expect(await dayIsThere()).toBe(true);
    await forgetRows(due.getTime() + 8 * DAY_MS);
    expect(await dayIsThere()).toBe(false);
    expect(await monthsLeft()).toHaveLength(3);
    const events = async ({ requestId }: Accepted) =>
      (await world.rows('SELECT FROM delivery_events WHERE request_id = $1', [requestId])).length;
    expect([await events(over), await events(kept)]).toEqual([0, 1]);
  });
});
