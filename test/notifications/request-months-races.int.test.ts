import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import {
  dueOf,
  dying,
  isDetach,
  LIMIT,
  type MonthToForget,
  nothing,
  openMonthToForget,
  reached,
} from './month-to-forget.js';
import { DAY_MS, idAt, monthAfter, monthOf } from './months-world.js';

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

describe('a month of requests, while others are at work', () => {
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
  ])('stays where a delivery whose id says %s waits again, whatever made it', async (_, newId) => {
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

  it('stays where a delivery of it comes to wait for a digest between the look and the step', async () => {
    const [id] = (await sent()).deliveryIds;
    await forget(due, undefined, {
      async query(statement, values) {
        if (isDetach(statement) && values?.[0] === monthOf(month)) {
          await world.rows(
            "UPDATE deliveries SET status = 'SUPPRESSED', suppression = 'DIGESTED' WHERE delivery_id = $1",
            [id],
          );
          await world.rows("INSERT INTO digest_items VALUES ($1, 'digest-1', $2)", [id, due]);
        }
        return world.postgres.query(statement, values);
      },
    });
    expect(await monthsLeft()).toHaveLength(3);
    expect(await forget()).toBe(1);
    expect(await world.rows('SELECT FROM deliveries WHERE delivery_id = $1', [id])).toHaveLength(1);
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

  it('waits for nobody who accepts a request and waits for it: both lock deliveries first', async () => {
    const waiting = `SELECT pid FROM pg_locks WHERE relation = 'deliveries'::regclass AND NOT granted`;
    const accepting = await world.postgres.transaction(async (tx) => {
      await tx.query('LOCK TABLE ONLY deliveries IN ACCESS EXCLUSIVE MODE');
      const accepted = world.accept(month);
      await expect.poll(() => world.rows(waiting)).toHaveLength(1);
      expect(
        await world.rows(
          `SELECT FROM pg_locks WHERE relation = 'notification_requests'::regclass AND pid = ANY (ARRAY(${waiting}))`,
        ),
      ).toEqual([]);
      return { accepted };
    });
    expect(await accepting.accepted).toBeDefined();
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

  it('goes though a process was killed before any of its statements, and nothing of what is kept is lost', async () => {
    let survived = 0;
    for (let isDead = true; isDead; survived += 1) {
      await world.sweepAt(month);
      const [kept, over] = [await world.accept(month), await sent(month)];
      isDead = false;
      let calls = 0;
      const mortal: Queryable = {
        async query(statement, values) {
          if (calls === survived) {
            isDead = true;
            throw new Error('killed');
          }
          calls += 1;
          return world.postgres.query(statement, values);
        },
      };
      await forget(due, undefined, mortal).catch(({ message }: Error) => expect(message).toBe('killed'));
      expect(await left(kept)).toMatchObject({ requests: 1, deliveries: 1 });
      await forget(due);
      expect(await monthsLeft(month)).toEqual([]);
      expect([await left(kept), await left(over)]).toMatchObject([{ requests: 1, deliveries: 1 }, nothing]);
      // The next one is the month after, as the clock goes.
      month = monthAfter(month, 1);
      due = dueOf(month);
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
});
