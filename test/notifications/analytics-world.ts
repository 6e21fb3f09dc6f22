import { bucketOf } from '../../src/domains/notifications/analytics/latencies.js';
import { type Counter, counters } from '../../src/domains/notifications/analytics/rollup.js';
import type { DeliveryReport } from '../../src/domains/notifications/delivery/report.js';
import type { SendRequest } from '../../src/domains/notifications/index.js';
import { LIFECYCLE_EVENTS } from '../support/lifecycle-events.js';
import {
  aRequest,
  aTemplate,
  aUser,
  type NotificationWorld,
  openNotificationWorld,
  shop,
} from './notification-world.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** What was counted of one minute or hour and all that is distinguished with it. */
export interface Counted {
  readonly startsAt: number;
  readonly channel: string;
  readonly priority: string;
  readonly notificationType: string;
  readonly templateId: string;
  readonly counts: Readonly<Partial<Record<Counter, number>>>;
  /** Buckets, each as often as it was counted, in order. */
  readonly latencies: readonly number[];
}

/** Notifications on a clock that a test moves, beginning with an hour that has just begun. */
export interface AnalyticsWorld extends NotificationWorld {
  now: number;
  consume(): Promise<void>;
  reconcile(): Promise<void>;
  /** Sends to a new user on each channel, and answers the deliveries. */
  send(own?: Partial<SendRequest>): Promise<readonly string[]>;
  report(deliveryIds: readonly string[], ...kinds: DeliveryReport['kind'][]): Promise<void>;
  /** A machine opens what it was sent. */
  scan(deliveryIds: readonly string[]): Promise<void>;
  /** What the table of events has, counted here. */
  truth(ms?: number): Promise<readonly Counted[]>;
  /** What rollups say. */
  stored(ms?: number): Promise<readonly Counted[]>;
}

export async function openAnalyticsWorld(): Promise<AnalyticsWorld> {
  const held = { now: Math.ceil(Date.now() / HOUR) * HOUR };
  const world = await openNotificationWorld({ now: () => held.now });
  const templates = new Map<string, string>();
  async function templateOf(type: string): Promise<string> {
    const known = templates.get(type);
    if (known) return known;
    const templateId = await aTemplate(world, 'push', type, { title: 'News' });
    await aTemplate(world, 'email', type, { subject: 'News' });
    templates.set(type, templateId);
    return templateId;
  }
  const signal = new AbortController().signal;
  return {
    ...world,
    get now() {
      return held.now;
    },
    set now(now) {
      held.now = now;
    },
    consume: () => world.notifications.analytics.keeper.consume(signal),
    reconcile: () => world.notifications.analytics.keeper.reconcile(signal),
    async send(own = {}) {
      const { type = 'ORDER_SHIPPED' } = own;
      const { userId } = await aUser(world);
      const request = aRequest({
        ...{ type, templateId: await templateOf(type) },
        recipients: [{ userId, channels: ['push', 'email'] }],
        ...own,
      });
      const sent = await world.notifications.send(shop, request);
      if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
      const { rows } = await world.postgres.query<{ id: string }>(
        'SELECT delivery_id AS id FROM deliveries WHERE request_id = $1 ORDER BY sequence',
        [sent.value.requestId],
      );
      return rows.map(({ id }) => id);
    },
    async report(deliveryIds, ...kinds) {
      const reports = deliveryIds.flatMap((deliveryId) => kinds.map((kind) => ({ deliveryId, kind })));
      await world.notifications.reportAll(reports, 'test');
    },
    async scan(deliveryIds) {
      const reports = deliveryIds.map((deliveryId) => ({
        deliveryId,
        kind: 'opened' as const,
        suspectedBot: true,
      }));
      await world.notifications.reportAll(reports, 'test');
    },
    truth: async (ms = MINUTE) => countTruth(await readEvents(world), ms),
    stored: (ms = MINUTE) => readStored(world, ms),
  };
}

interface EventRow {
  readonly at: Date;
  readonly since: Date;
  readonly event: string;
  readonly bot: boolean;
  readonly channel: string;
  readonly priority: string;
  readonly notificationType: string;
  readonly templateId: string;
}

async function readEvents({ postgres }: NotificationWorld): Promise<readonly EventRow[]> {
  const { rows } = await postgres.query<EventRow>(
    `SELECT e.at, e.event, e.detail -> 'suspected_bot' IS NOT NULL AS bot, d.channel, d.priority,
       d.notification_type AS "notificationType", r.template_id AS "templateId",
       CASE WHEN r.schedule_at > d.created_at THEN r.schedule_at ELSE d.created_at END AS since
     FROM ${LIFECYCLE_EVENTS} AS e JOIN deliveries d USING (delivery_id) JOIN notification_requests r ON r.request_id = e.request_id`,
  );
  return rows;
}

function countTruth(events: readonly EventRow[], ms: number): readonly Counted[] {
  const groups = Map.groupBy(events, ({ at, channel, priority, notificationType, templateId }) =>
    JSON.stringify([Math.floor(at.getTime() / ms) * ms, channel, priority, notificationType, templateId]),
  );
  return sorted(
    [...groups].map(([key, group]) => {
      const [startsAt, channel, priority, notificationType, templateId] = JSON.parse(key);
      const happened = Map.groupBy(group, ({ event, bot }) => (bot ? 'suspected_bots' : event.toLowerCase()));
      const counts = Object.fromEntries(
        counters.flatMap((counter) => {
          const times = happened.get(counter)?.length;
          return times ? [[counter, times]] : [];
        }),
      );
      const latencies = group
        .filter(({ event }) => event === 'DELIVERED')
        .map(({ at, since }) => bucketOf(at.getTime() - since.getTime()))
        .sort((one, other) => one - other);
      return { startsAt, channel, priority, notificationType, templateId, counts, latencies };
    }),
  );
}

async function readStored({ postgres }: NotificationWorld, ms: number): Promise<readonly Counted[]> {
  const { rows } = await postgres.query<{ row: Record<string, unknown> }>(
    'SELECT to_jsonb(r) AS row FROM notification_rollups r WHERE seconds = $1',
    [ms / 1_000],
  );
  return sorted(
    rows.map(({ row }) => {
      const buckets = row.latency_buckets as number[];
      const times = row.latency_counts as number[];
      return {
        startsAt: Date.parse(row.starts_at as string),
        ...{ channel: row.channel as string, priority: row.priority as string },
        ...{ notificationType: row.notification_type as string, templateId: row.template_id as string },
        counts: Object.fromEntries(
          counters.filter((counter) => row[counter] !== 0).map((counter) => [counter, row[counter]]),
        ),
        latencies: buckets.flatMap((bucket, index) => Array.from({ length: times[index]! }, () => bucket)),
      };
    }),
  );
}

const nameOf = ({ startsAt, channel, priority, notificationType, templateId }: Counted): string =>
  JSON.stringify([startsAt, channel, priority, notificationType, templateId]);

const sorted = (all: readonly Counted[]): readonly Counted[] =>
  all.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
