import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetRequestMonths } from '../../src/domains/notifications/retention/request-months.js';
import type { Queryable } from '../../src/platform/postgres.js';
import { forgetting } from './forgetting.js';
import {
  type Accepted,
  DAY_MS,
  idAt,
  MONTHLY,
  type MonthsWorld,
  monthAfter,
  monthOf,
  openMonthsWorld,
} from './months-world.js';

const LIMIT = 1_000;
const dying = { failure: { error: 'gone', attempts: 1 } };
const reached = { targets: [{ target: 'phone', error: null, providerId: 'p' }] };

let world: MonthsWorld;
/** The first month after the first partition, and when it may go. */
let month: Date;
let due: Date;
beforeEach(async () => {
  world = await openMonthsWorld();
  month = await world.firstMonth();
  await world.sweepAt(month);
  due = new Date(monthAfter(month, 1).getTime() + 90 * DAY_MS);
});
afterEach(() => world.close());

/** A request of the month that is over. */
async function sent(at = month): Promise<Accepted> {
  const accepted = await world.accept(at);
  for (const id of accepted.deliveryIds) await world.step(id, at, 'SENT', reached);
  return accepted;
}

/** One process; its clock may be moved. */
function aProcess(at: Date | { now: number }, mostMoved?: number, postgres: Queryable = world.postgres) {
  const now = at instanceof Date ? () => at.getTime() : () => at.now;
  let dropped = 0;
  const step = forgetRequestMonths(
    {
      postgres,
      clock: { now },
      before: () => new Date(now() - 90 * DAY_MS),
      dropped: () => {
        dropped += 1;
      },
    },
    mostMoved,
  );
  return { step, dropped: () => dropped };
}

async function forget(at = due, mostMoved?: number, postgres?: Queryable): Promise<number> {
  const { step, dropped } = aProcess(at, mostMoved, postgres);
  while ((await step(LIMIT)) === LIMIT);
  return dropped();
}

const isDetach = (statement: Parameters<Queryable['query']>[0]): boolean =>
  typeof statement !== 'string' && statement.text.includes('detach_month');

/** Rows of each table that are left of a request. */
async function left({ requestId, deliveryIds }: Accepted) {
  const [row] = await world.rows<{ requests: number; deliveries: number; targets: number; letters: number }>(
    `SELECT (SELECT count(*)::int FROM notification_requests WHERE request_id = $1) AS requests,
            (SELECT count(*)::int FROM deliveries WHERE request_id = $1) AS deliveries,
            (SELECT count(*)::int FROM target_outcomes WHERE delivery_id = ANY ($2)) AS targets,
            (SELECT count(*)::int FROM failed_notifications WHERE delivery_id = ANY ($2)) AS letters`,
    [requestId, deliveryIds],
  );
  return row!;
}
const monthsLeft = async () =>
  (
    await world.rows<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relname = ANY ($1) ORDER BY 1`,
      [MONTHLY.map((table) => `${table}_${monthOf(month)}`)],
    )
  ).map(({ name }) => name);
const nothing = { requests: 0, deliveries: 0, targets: 0, letters: 0 };

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

  it('stays where a delivery of it is given up between the look and the step', async () => {
    const { deliveryIds } = await sent();
    const bounced: Queryable = {
      async query(statement, values) {
        if (isDetach(statement) && values?.[0] === monthOf(month))
          await world.step(deliveryIds[0]!, new Date(), 'DEAD', dying);
        return world.postgres.query(statement, values);
      },
    };
    expect(await forget(due, undefined, bounced)).toBe(1);
    expect(await monthsLeft()).toHaveLength(3);
    // It is kept from then on.
    expect(await forget()).toBe(1);
    expect(
      await world.rows('SELECT status FROM deliveries WHERE delivery_id = $1', [deliveryIds[0]]),
    ).toEqual([{ status: 'DEAD' }]);
  });

  it('stays where a delivery of it is given up and taken up again between the look and the step, and can be finished', async () => {
    const [failed, other] = [await sent(), await sent()];
    const id = failed.deliveryIds[0]!;
    await forget(due, undefined, {
      async query(statement, values) {
        if (isDetach(statement) && values?.[0] === monthOf(month)) {
          await world.step(id, new Date(), 'DEAD', dying);
          await world.rows('UPDATE failed_notifications SET settled_at = $2 WHERE delivery_id = $1', [
            id,
            new Date(),
          ]);
          await world.step(id, new Date(), 'QUEUED');
        }
        return world.postgres.query(statement, values);
      },
    });
    expect(await monthsLeft()).toHaveLength(3);
    expect(await forget()).toBe(1);
    expect(await left(other)).toEqual(nothing);
    expect(await world.step(id, due, 'SENT', reached)).toHaveLength(1);
    expect(await world.rows('SELECT FROM pending_deliveries')).toEqual([]);
  });

  it.each([
    ['a time', (at: Date) => idAt(at)],
    ['no time', () => randomUUID()],
  ])('stays where a delivery whose id tells %s waits again, whatever made it', async (_, newId) => {
    const over = await sent();
    const id = newId(month);
    await world.rows('UPDATE deliveries SET delivery_id = $2 WHERE delivery_id = $1', [
      over.deliveryIds[0],
      id,
    ]);
    await forget(due, undefined, {
      async query(statement, values) {
        if (isDetach(statement) && values?.[0] === monthOf(month))
          await world.rows("UPDATE deliveries SET status = 'QUEUED' WHERE delivery_id = $1", [id]);
        return world.postgres.query(statement, values);
      },
    });
    expect(await monthsLeft()).toHaveLength(3);
    expect(await world.rows('SELECT delivery_id FROM pending_deliveries')).toEqual([{ delivery_id: id }]);
    expect(await forget()).toBe(1);
    expect(await monthsLeft()).toEqual([]);
    expect(await world.step(id, due, 'SENT')).toHaveLength(1);
  });

  it('is tried again in the next runs where somebody was in the way, without being looked through anew', async () => {
    const over = await Promise.all([1, 2, 3].map(() => sent()));
    await forget(new Date(due.getTime() - 1));
    let looks = 0;
    const { step, dropped } = aProcess(due, undefined, {
      query(statement, values) {
        if (typeof statement !== 'string' && statement.text.includes('find_kept_deliveries')) looks += 1;
        return world.postgres.query(statement, values);
      },
    });
    await world.postgres.transaction(async (tx) => {
      await tx.query('LOCK TABLE deliveries IN ACCESS SHARE MODE');
      while ((await step(1)) > 0);
      for (let run = 0; run < 3; run += 1) expect(await step(1)).toBe(0);
    });
    expect(looks).toBe(over.length + 1 + 3);
    while ((await step(1)) > 0);
    expect(dropped()).toBe(1);
    expect(await Promise.all(over.map(left))).toEqual(over.map(() => nothing));
  });

  it('goes beside steady intake', async () => {
    const now = monthAfter(month, 1);
    await world.sweepAt(now);
    await sent();
    let isOver = false;
    const writers = [1, 2].map(async () => {
      while (!isOver) await world.accept(now);
    });
    try {
      let dropped = 0;
      for (let run = 0; run < 3; run += 1) dropped += await forget();
      expect(dropped).toBe(2);
    } finally {
      isOver = true;
      await Promise.all(writers);
    }
  });

  it('does not stay for a process whose month another has dropped, nor do the months behind it', async () => {
    const [over, later] = [await sent(), await sent(monthAfter(month, 1))];
    await forget(new Date(due.getTime() - 1));
    const at = { now: due.getTime() };
    const behind = aProcess(at);
    expect(await behind.step(1)).toBe(1);
    expect(await forget()).toBe(1);
    await expect(behind.step(1)).rejects.toThrow('does not exist');
    expect(await behind.step(1)).toBe(0);
    at.now = monthAfter(month, 2).getTime() + 90 * DAY_MS;
    while ((await behind.step(LIMIT)) === LIMIT);
    expect(behind.dropped()).toBe(1);
    expect([await left(over), await left(later)]).toEqual([nothing, nothing]);
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

  it('goes though a process was killed before any of its statements, and nothing of what is kept is lost', async () => {
    let survived = 0;
    for (let isDead = true; isDead; survived += 1) {
      await world.sweepAt(month);
      const [kept, over] = [await world.accept(month), await sent()];
      isDead = false;
      let calls = 0;
      const dying: Queryable = {
        async query(statement, values) {
          if (calls === survived) {
            isDead = true;
            throw new Error('killed');
          }
          calls += 1;
          return world.postgres.query(statement, values);
        },
      };
      await forget(due, undefined, dying).catch(({ message }: Error) => expect(message).toBe('killed'));
      expect(await left(kept)).toMatchObject({ requests: 1, deliveries: 1 });
      await forget();
      expect(await monthsLeft()).toEqual([]);
      expect([await left(kept), await left(over)]).toMatchObject([{ requests: 1, deliveries: 1 }, nothing]);
      // The next one is the month after, as the clock goes.
      month = monthAfter(month, 1);
      due = new Date(monthAfter(month, 1).getTime() + 90 * DAY_MS);
    }
    expect(survived).toBeGreaterThan(4);
  });

  it('goes without keeping anybody waiting: while a backup reads it stays, and others write', async () => {
    const over = await sent();
    await world.postgres.transaction(async (tx) => {
      await tx.query('LOCK TABLE deliveries, notification_requests, target_outcomes IN ACCESS SHARE MODE');
      let isOver = false;
      const trying = (async () => {
        let dropped = 0;
        while (!isOver) dropped += await forget();
        return dropped;
      })();
      for (let n = 0; n < 30; n += 1)
        await world.postgres.transaction(async (writer) => {
          await writer.query("SET LOCAL lock_timeout = '200ms'");
          await writer.query("UPDATE deliveries SET last_error = 'x' WHERE delivery_id = $1", [
            over.deliveryIds[0],
          ]);
          await writer.query("UPDATE notification_requests SET correlation_id = 'x' WHERE request_id = $1", [
            over.requestId,
          ]);
        });
      isOver = true;
      expect(await trying).toBe(0);
    });
    expect(await forget()).toBe(2);
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
