import { randomUUID } from 'node:crypto';
import { LIFECYCLE_EVENTS } from '../support/lifecycle-events.js';
import { giveUp, sendPushes } from './dead-letter-world.js';
import { forgetting } from './forgetting.js';
import { aTemplate, type NotificationWorld, openNotificationWorld } from './notification-world.js';

/** Rows that one step of a deletion takes. */
export const LIMIT = 4_000;

/** A world with requests that are long over. */
export interface RetentionWorld extends NotificationWorld {
  readonly templateId: string;
  forgetRequests(): Promise<void>;
  /** A request of some pushes that ended like this, so many days ago. */
  ended(days: number, own?: { status?: string; count?: number }): Promise<readonly string[]>;
  /** Rows of each table that are left of these deliveries. */
  left(deliveryIds: readonly string[], requestId?: string): Promise<Record<string, number>>;
  requestOf(deliveryId: string): Promise<string>;
  isThere(deliveryIds: readonly string[]): Promise<boolean>;
}

/** An id that says no other time than the one that its row gets: none. */
const withoutTime = (column: string): string => `overlay(${column}::text PLACING '4' FROM 15)::uuid`;

export async function openRetentionWorld(): Promise<RetentionWorld> {
  const world = await openNotificationWorld();
  const templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED');

  async function forgetRequests(): Promise<void> {
    const { requests } = forgetting(world.postgres);
    while ((await requests(LIMIT)) === LIMIT);
  }

  async function ended(days: number, { status = 'DELIVERED', count = 1 } = {}): Promise<readonly string[]> {
    const deliveryIds = await sendPushes(world, templateId, count);
    if (status === 'DEAD') await giveUp(world, deliveryIds);
    else
      await world.postgres.query('UPDATE deliveries SET status = $2 WHERE delivery_id = ANY ($1)', [
        deliveryIds,
        status,
      ]);
    await world.postgres.query(
      `INSERT INTO delivery_targets (delivery_id, target) SELECT unnest($1::uuid[]), 'phone' ON CONFLICT DO NOTHING`,
      [deliveryIds],
    );
    return age(deliveryIds, days);
  }

  /** Makes requests older by so many days, with all that belongs to them; answers the ids that the deliveries have then. */
  async function age(deliveryIds: readonly string[], days: number): Promise<readonly string[]> {
    const [before, ofRequest] = [
      `- $2 * interval '1 day'`,
      'request_id IN (SELECT request_id FROM deliveries WHERE delivery_id = ANY ($1))',
    ];
    for (const statement of [
      `UPDATE notification_requests SET created_at = created_at ${before} WHERE ${ofRequest}`,
      `UPDATE delivery_events SET at = at ${before} WHERE ${ofRequest}`,
      `UPDATE failed_notifications SET failed_at = failed_at ${before}, settled_at = settled_at ${before} WHERE delivery_id = ANY ($1)`,
      `UPDATE deliveries SET created_at = created_at ${before}, queued_at = queued_at ${before} WHERE ${ofRequest}`,
    ])
      await world.postgres.query(statement, [deliveryIds, days]);
    for (const [table, ...columns] of [
      ['notification_requests', 'request_id'],
      ['delivery_events', 'request_id', 'delivery_id'],
      ['delivery_targets', 'delivery_id'],
      ['failed_notifications', 'delivery_id'],
      ['deliveries', 'request_id', 'delivery_id'],
    ])
      await world.postgres.query(
        `UPDATE ${table} SET ${columns.map((column) => `${column} = ${withoutTime(column)}`)}
         WHERE ${columns[0] === 'delivery_id' ? 'delivery_id = ANY ($1)' : 'request_id IN (SELECT request_id FROM deliveries WHERE delivery_id = ANY ($1))'}`,
        [deliveryIds],
      );
    const { rows } = await world.postgres.query<{ id: string }>(
      `SELECT ${withoutTime('id')} AS id FROM unnest($1::uuid[]) WITH ORDINALITY AS i (id, n) ORDER BY n`,
      [deliveryIds],
    );
    return rows.map(({ id }) => id);
  }

  async function left(deliveryIds: readonly string[], requestId?: string): Promise<Record<string, number>> {
    const { rows } = await world.postgres.query<Record<string, number>>(
      `SELECT (SELECT count(*) FROM notification_requests WHERE request_id = $2) AS requests,
              (SELECT count(*) FROM deliveries WHERE delivery_id = ANY ($1)) AS deliveries,
              (SELECT count(*) FROM delivery_targets WHERE delivery_id = ANY ($1)) AS targets,
              (SELECT count(*) FROM failed_notifications WHERE delivery_id = ANY ($1)) AS letters,
              (SELECT count(*) FROM ${LIFECYCLE_EVENTS} AS e WHERE delivery_id = ANY ($1)) AS events`,
      [deliveryIds, requestId ?? (await requestOf(deliveryIds[0]!))],
    );
    return rows[0]!;
  }

  async function requestOf(deliveryId: string): Promise<string> {
    const { rows } = await world.postgres.query<{ id: string }>(
      'SELECT request_id AS id FROM deliveries WHERE delivery_id = $1',
      [deliveryId],
    );
    return rows[0]?.id ?? randomUUID();
  }

  const isThere = async (deliveryIds: readonly string[]): Promise<boolean> =>
    (await left(deliveryIds)).deliveries === deliveryIds.length;

  return { ...world, templateId, forgetRequests, ended, left, requestOf, isThere };
}
