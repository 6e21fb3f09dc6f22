import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql as overtakenSql } from '../../src/domains/notifications/delivery/overtaken.sql.js';
import { sql as findSql } from '../../src/domains/notifications/lifecycle/find.sql.js';
import { idAt, type MonthsWorld, monthAfter, openMonthsWorld, stepAt } from './months-world.js';

const { keepAnswer } = overtakenSql;
const { requestsById, deliveriesById } = findSql;

let world: MonthsWorld;
beforeEach(async () => {
  world = await openMonthsWorld();
});
afterEach(() => world.close());

const targetsOf = (deliveryId: string) =>
  world.rows(
    'SELECT target, error, provider_id AS "providerId" FROM target_outcomes WHERE delivery_id = $1 ORDER BY target',
    [deliveryId],
  );

describe('a fallback', () => {
  const dying = { failure: { error: 'gone', attempts: 1 } };

  it('is made once on a channel, also where two deliveries die at once in two sessions', async () => {
    const options = { channels: ['push', 'sms'], fallbackChannels: ['email'] };
    const { requestId, deliveryIds } = await world.accept(new Date(), options);
    const at = new Date();
    const other = await world.postgres.transaction(async (tx) => {
      await tx.query('SELECT * FROM apply_transitions($1)', [
        JSON.stringify([stepAt(deliveryIds[0]!, at, 'DEAD', dying)]),
      ]);
      const waiting = world.step(deliveryIds[1]!, at, 'DEAD', dying);
      await expect
        .poll(() =>
          world.rows(
            "SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) OR NOT granted AND locktype = 'transactionid'",
          ),
        )
        .not.toEqual([]);
      return { waiting };
    });
    expect(await other.waiting).toMatchObject([{ deliveryId: deliveryIds[1], fallbackId: null }]);
    expect(
      await world.rows("SELECT FROM deliveries WHERE request_id = $1 AND channel = 'email'", [requestId]),
    ).toHaveLength(1);
  });

  it('is made once on a channel, also where two deliveries die in one call', async () => {
    const options = { channels: ['push', 'sms'], fallbackChannels: ['email'] };
    const first = await world.firstMonth();
    await world.sweepAt(first);
    for (const at of [new Date(), first]) {
      const { requestId, deliveryIds } = await world.accept(at, options);
      const steps = deliveryIds.map((id) => stepAt(id, at, 'DEAD', dying));
      await world.rows('SELECT * FROM apply_transitions($1)', [JSON.stringify(steps)]);
      expect(
        await world.rows("SELECT FROM deliveries WHERE request_id = $1 AND channel = 'email'", [requestId]),
      ).toHaveLength(1);
    }
  });

  it('lies in the month in which it was made, and its request goes on with it', async () => {
    const first = await world.firstMonth();
    await world.sweepAt(first);
    const { requestId, deliveryIds } = await world.accept(first, { fallbackChannels: ['email', 'sms'] });
    const later = monthAfter(first, 1);
    const [step] = await world.step(deliveryIds[0]!, later, 'DEAD', dying);
    expect(step).toMatchObject({ fallbackChannel: 'email' });
    expect(
      await world.rows('SELECT status FROM pending_deliveries WHERE delivery_id = $1', [step!.fallbackId]),
    ).toEqual([{ status: 'SCHEDULED' }]);
    const [next] = await world.step(step!.fallbackId!, later, 'DEAD', dying);
    expect(next).toMatchObject({ fallbackChannel: 'sms' });
    expect(await world.rows('SELECT FROM deliveries WHERE request_id = $1', [requestId])).toHaveLength(3);
  });
});

describe('what became of a delivery at an address', () => {
  const outcome = (error: string | null, providerId: string | null) => [
    { target: 'phone', error, providerId },
  ];

  it('is kept once, whichever version noted it first', async () => {
    const first = await world.firstMonth();
    await world.sweepAt(first);
    for (const at of [new Date(), first]) {
      const { deliveryIds } = await world.accept(at);
      const [id] = deliveryIds;
      // In the former version's way: when it was recorded.
      if (at !== first)
        await world.rows(
          "INSERT INTO delivery_targets (delivery_id, target, error) VALUES ($1, 'phone', 'busy')",
          [id],
        );
      await world.step(id!, at, 'QUEUED', { targets: outcome('later', null) });
      expect(await targetsOf(id!)).toEqual([{ target: 'phone', error: 'later', providerId: null }]);
      await world.step(id!, at, 'SENT', { targets: outcome(null, 'one') });
      await world.step(id!, at, 'SENT', { targets: outcome(null, null) });
      expect(await targetsOf(id!)).toEqual([{ target: 'phone', error: null, providerId: 'one' }]);
      const answers = [...outcome('ignored', 'two'), { target: 'tablet', error: 'gone', providerId: null }];
      await world.postgres.query(keepAnswer, [id, JSON.stringify(answers)]);
      await world.postgres.query(keepAnswer, [id, JSON.stringify(outcome(null, null))]);
      expect(await targetsOf(id!)).toEqual([
        { target: 'phone', error: null, providerId: 'two' },
        { target: 'tablet', error: 'gone', providerId: null },
      ]);
    }
  });

  it('is still noted by processes of the former version', async () => {
    const { deliveryIds } = await world.accept(new Date());
    await world.step(deliveryIds[0]!, new Date(), 'SENT', { targets: outcome(null, null) });
    await world.rows(
      `WITH ended AS (
         UPDATE deliveries SET lease_token = NULL, lease_until = NULL, early_reports = NULL WHERE delivery_id = $1
       )
       INSERT INTO delivery_targets (delivery_id, target, error, provider_id, updated_at)
       SELECT $1, 'phone', NULL, 'former', now()
       ON CONFLICT (delivery_id, target) DO UPDATE
         SET provider_id = excluded.provider_id, updated_at = excluded.updated_at
         WHERE excluded.provider_id IS NOT NULL`,
      [deliveryIds[0]],
    );
    expect(await targetsOf(deliveryIds[0]!)).toEqual([
      { target: 'phone', error: null, providerId: 'former' },
    ]);
  });
});

it('what is made by a clock that is hours behind the one that made its id is found by its id', async () => {
  const now = Date.now();
  const { requestId, deliveryIds } = await world.accept(new Date(now));
  expect(requestId).not.toBe(idAt(new Date(now)));
  const ahead = new Date(now + 5 * 3_600_000);
  const request = {
    ...{
      requestId: idAt(ahead),
      producer: 'shop',
      notificationId: 'ahead',
      bodyHash: '00',
      response: {},
      type: 'T',
    },
    ...{ priority: 'high', templateId: 't', correlationId: 'c', maxRetries: 5, at: new Date(now) },
    deliveries: [
      {
        deliveryId: idAt(ahead),
        userId: 'u',
        channel: 'push',
        status: 'QUEUED',
        content: {},
        steps: [{ event: 'CREATED' }],
      },
    ],
  };
  await world.rows("SELECT * FROM accept_notifications($1, '1 day')", [JSON.stringify([request])]);
  expect((await world.postgres.query(requestsById, [[request.requestId, requestId]])).rows).toHaveLength(2);
  expect(
    (await world.postgres.query(deliveriesById, [[request.deliveries[0]!.deliveryId, ...deliveryIds]])).rows,
  ).toHaveLength(2);
});
