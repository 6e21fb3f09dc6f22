import { encodeCursor } from '../../src/platform/paging.js';
import { LIFECYCLE_EVENTS } from '../support/lifecycle-events.js';
import { subscriptions } from './documents.js';
import type { Fleet } from './fleet.js';
import { compare, type Subscriber, subscribe } from './subscribers.js';
import { LIVE_ACCOUNT, type People } from './world.js';

/** Subscribers of everything on every api of a fleet. */
export interface Audience {
  readonly all: readonly Subscriber[];
  /** Follows these too, from their first event on, on every api. */
  watch(orderIds: readonly string[], notificationIds: readonly string[]): void;
  /** What is wrong with what was heard so far, as sentences; what is on its way counts as missed. */
  faults(): Promise<readonly string[]>;
  /** What is wrong with what was heard so far has failed one test, and does not fail the next. */
  forgive(): void;
  /** Those of single orders and notifications, whose events are over. */
  forgetWatched(): Promise<void>;
  close(): Promise<void>;
}

export function openAudience(fleet: Fleet, people: People): Audience {
  const { admin } = fleet.postgres;
  const reader = people.reader!;
  const shop = people.shop!;
  const standing: { subscriber: Subscriber; topic: 'feed' | 'inbox' | 'account' | 'alerts' }[] = [];
  let watched: { subscriber: Subscriber; topic: 'order' | 'status'; id: string }[] = [];
  for (const index of fleet.apis.keys()) {
    const name = (topic: string): string => `${topic} at api ${index}`;
    const [ofReader, ofShop] = [reader.at[index]!, shop.at[index]!];
    standing.push(
      {
        topic: 'feed',
        subscriber: subscribe(name('feedUpdated'), ofReader, subscriptions.feed, {}, ({ feedUpdated }) => ({
          event: `${feedUpdated.authorId} ${feedUpdated.postId}`,
          cursor: feedUpdated.cursor,
        })),
      },
      {
        topic: 'inbox',
        subscriber: subscribe(
          name('inboxUpdated'),
          ofReader,
          subscriptions.inbox,
          {},
          ({ inboxUpdated }) => ({
            event: inboxUpdated.item?.itemId ?? 'too much',
            cursor: inboxUpdated.cursor,
          }),
          encodeCursor(reader.userId, 0),
        ),
      },
      {
        topic: 'account',
        subscriber: subscribe(
          name('accountUpdated'),
          ofShop,
          subscriptions.account,
          { accountId: LIVE_ACCOUNT },
          ({ accountUpdated }) => ({
            event: String(accountUpdated.account.version),
            cursor: accountUpdated.cursor,
          }),
          encodeCursor(LIVE_ACCOUNT, 0),
        ),
      },
      {
        topic: 'alerts',
        subscriber: subscribe(
          name('alertRaised'),
          ofShop,
          subscriptions.alerts,
          {},
          ({ alertRaised }) => ({
            event: `${alertRaised.alert.id} ${alertRaised.alert.resolvedAt ? 'resolved' : 'raised'}`,
            cursor: alertRaised.cursor,
          }),
          encodeCursor(0),
        ),
      },
    );
  }

  const rows = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    (await admin.query<Row>(sql, values)).rows;
  const texts = async (sql: string, values: unknown[] = []): Promise<string[]> =>
    (await rows<{ event: string }>(sql, values)).map(({ event }) => event);

  return {
    get all() {
      return [...standing, ...watched].map(({ subscriber }) => subscriber);
    },
    watch(orderIds, notificationIds) {
      for (const index of fleet.apis.keys()) {
        const client = shop.at[index]!;
        for (const orderId of orderIds) {
          const subscriber = subscribe(
            `orderUpdated(${orderId}) at api ${index}`,
            client,
            subscriptions.order,
            { orderId },
            ({ orderUpdated: { order, cursor } }) => ({ event: `${order.version} ${order.status}`, cursor }),
            encodeCursor(orderId, 0),
          );
          watched.push({ subscriber, topic: 'order', id: orderId });
        }
        for (const notificationId of notificationIds) {
          const subscriber = subscribe(
            `notificationStatus(${notificationId}) at api ${index}`,
            client,
            subscriptions.status,
            { notificationId },
            ({ notificationStatus: one }) => ({
              event: `${one.deliveryId} ${one.event} ${one.at}`,
              cursor: one.cursor,
            }),
          );
          watched.push({ subscriber, topic: 'status', id: notificationId });
        }
      }
    },
    async faults() {
      const [posts, inbox, account, alerts] = await Promise.all([
        texts(
          `SELECT u.user_id || ' ' || p.post_id AS event FROM posts p JOIN users u ON u.id = p.author_id
           WHERE u.user_id LIKE 'kept-%' ORDER BY p.position`,
        ),
        texts(`SELECT item_id AS event FROM inbox_entries WHERE user_id = $1 ORDER BY change`, [
          reader.userId,
        ]),
        texts(
          `SELECT stream_position::text AS event FROM events WHERE stream_id = $1 AND stream_position > 0
           ORDER BY stream_position`,
          [`Account-${LIVE_ACCOUNT}`],
        ),
        rows<{ id: string; resolved: boolean }>(
          `SELECT alert_id AS id, resolved_at IS NOT NULL AS resolved FROM alerts ORDER BY change`,
        ),
      ]);
      const faults = this.all.flatMap(({ surprises }) => [...surprises]);
      for (const { subscriber, topic } of standing) {
        if (topic === 'feed') faults.push(...compareFeed(subscriber, posts));
        if (topic === 'inbox') faults.push(...compare(subscriber, inbox));
        if (topic === 'account') faults.push(...compare(subscriber, account));
        if (topic === 'alerts') faults.push(...compareAlerts(subscriber, alerts));
      }
      for (const { subscriber, topic, id } of watched) {
        const expected =
          topic === 'order'
            ? await texts(
                `SELECT stream_position || CASE event_type WHEN 'OrderShipped' THEN ' SHIPPED' ELSE ' CANCELLED' END
                 AS event FROM events WHERE stream_id = $1 AND stream_position > 0 ORDER BY stream_position`,
                [`Order-${id}`],
              )
            : (
                await rows<{ deliveryId: string; event: string; at: Date }>(
                  `SELECT e.delivery_id AS "deliveryId", e.event, e.at FROM ${LIFECYCLE_EVENTS} AS e
                   JOIN notification_requests USING (request_id) WHERE notification_id = $1 ORDER BY e.number`,
                  [id],
                )
              ).map(({ deliveryId, event, at }) => `${deliveryId} ${event} ${at.toISOString()}`);
        faults.push(...compare(subscriber, expected));
      }
      return faults;
    },
    forgive() {
      for (const { flagged, forgiven, surprises } of this.all) {
        for (const event of flagged) forgiven.add(event);
        surprises.length = 0;
      }
    },
    async forgetWatched() {
      const over = watched;
      watched = [];
      await Promise.all(over.map(({ subscriber }) => subscriber.close()));
    },
    async close() {
      await Promise.all(this.all.map((subscriber) => subscriber.close()));
    },
  };
}

/**
 * From its first post on: a subscription without a cursor begins when the server listens, and fan-outs of different
 * authors finish out of order, so that it may hear of some earlier ones as well. What is deleted later may be, or may not
 * be, heard of before. Posts of one author are in order.
 */
function compareFeed(subscriber: Subscriber, posts: readonly string[]): readonly string[] {
  const heard = subscriber.heard.filter(({ event }) => event.startsWith('kept-'));
  const [first] = heard;
  if (!first) return [`${subscriber.name} heard nothing`];
  const begin = Math.max(0, posts.indexOf(first.event));
  const known = new Set(heard.map(({ event }) => event));
  const expected = posts.filter((post, index) => index >= begin || known.has(post));
  return compare({ ...subscriber, heard }, expected, authorOf);
}

const authorOf = (event: string): string => event.split(' ')[0]!;

/** One that was raised and resolved while nobody listened comes once, resolved. */
function compareAlerts(
  subscriber: Subscriber,
  alerts: readonly { id: string; resolved: boolean }[],
): readonly string[] {
  const last = alerts.map(({ id, resolved }) => `${idOf(id)} ${resolved ? 'resolved' : 'raised'}`);
  const known = new Set(subscriber.heard.map(({ event }) => event));
  const before = alerts.flatMap(({ id, resolved }) => {
    const raised = `${idOf(id)} raised`;
    return resolved && known.has(raised) ? [raised] : [];
  });
  return compare(subscriber, [...before, ...last], (event) => event.split(' ')[0]!);
}

const idOf = (alertId: string): string => Buffer.from(`Alert:${alertId}`).toString('base64url');
