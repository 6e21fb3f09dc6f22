import type { NotificationsConfig } from '../../src/domains/notifications/config.js';
import type { Channel } from '../../src/domains/notifications/types.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import type { Clock } from '../../src/platform/clock.js';
import { systemClock } from '../../src/platform/clock.js';
import { firstPage } from './inbox-world.js';
import {
  aRequest,
  aTemplate,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
  until,
} from './notification-world.js';
import { type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

const CHANNELS: readonly Channel[] = ['push', 'in_app'];

interface Own {
  readonly channels?: readonly Channel[];
  readonly fallbackChannels?: readonly Channel[];
  readonly expiresAt?: Date;
}

/** Notifications with a sandbox, and templates about several people. */
export async function openGroupingWorld(
  clock: Clock = systemClock,
  config: Partial<NotificationsConfig> = {},
) {
  const [world, trial] = await Promise.all([openNotificationWorld(clock, config), tryWithSandbox()]);
  const text = { title: '{{actors}}', body: '{{actor}}/{{others}}/{{count}} {{person}}' };
  const templateId = await aTemplate(world, 'push', 'POST_LIKED', text);
  await aTemplate(world, 'email', 'POST_LIKED', { subject: '{{actors}}', body: '{{count}}' });
  return { ...groupsIn(world, trial, templateId), world, trial };
}

export type GroupingWorld = Awaited<ReturnType<typeof openGroupingWorld>>;

function groupsIn(world: NotificationWorld, trial: SandboxTrial, templateId: string) {
  const { postgres, notifications } = world;
  const like = (person: string, key: string, own: Own = {}) =>
    aRequest({
      templateId,
      type: 'POST_LIKED',
      group: { key, actorId: person.toLowerCase(), actorName: person },
      recipients: [],
      ...(own.fallbackChannels && { fallbackChannels: own.fallbackChannels }),
      ...(own.expiresAt && { expiresAt: own.expiresAt }),
    });
  return {
    /** A request as a producer sends it: somebody likes a post of this user. */
    requestOf: (userId: string, person: string, key: string, own: Own = {}) => ({
      ...like(person, key, own),
      recipients: [{ userId, channels: own.channels ?? CHANNELS, variables: { person } }],
    }),
    /** Sends one and answers its notification id. */
    async like(
      userId: string,
      person: string,
      key: string,
      own: Own = {},
      producer: Caller = shop,
    ): Promise<string> {
      const request = this.requestOf(userId, person, key, own);
      const sent = await notifications.send(producer, request);
      if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
      return request.notificationId;
    },
    inbox: async (userId: string) => {
      const page = await notifications.inbox.page(userId, firstPage, 'ALL');
      return page.edges.map(({ node }) => node);
    },
    /** Waits until the inbox's first item has this title. */
    shown(userId: string, title: string, timeoutMs?: number) {
      return until(async () => {
        const [item] = await this.inbox(userId);
        return item?.title === title && item;
      }, timeoutMs);
    },
    pushesTo: (token: string) => trial.received(`?channel=push&to=${token}`),
    /** Who is in a user's groups, and what these say of themselves. */
    groupsOf: async (userId: string) =>
      (
        await postgres.query<{ count: number; people: string[] }>(
          `SELECT g.actor_count AS count,
                  ARRAY(SELECT a.actor_id FROM notification_group_actors a WHERE a.group_id = g.group_id ORDER BY a.actor_id) AS people
           FROM notification_groups g
           WHERE g.group_id IN (SELECT d.group_id FROM deliveries d WHERE d.user_id = $1)
           ORDER BY g.group_id`,
          [userId],
        )
      ).rows,
    /** How many deliveries of a user there are, by channel and status. */
    statuses: async (userId: string) =>
      Object.fromEntries(
        (
          await postgres.query<{ what: string; count: number }>(
            `SELECT channel || ' ' || status || coalesce(' ' || suppression, '') AS what, count(*)::int AS count
             FROM deliveries WHERE user_id = $1 GROUP BY 1`,
            [userId],
          )
        ).rows.map(({ what, count }) => [what, count]),
      ),
    person: () => unique('person').replaceAll('-', ''),
    async close() {
      await world.close();
      await trial.close();
    },
  };
}

type Messages = Awaited<ReturnType<GroupingWorld['pushesTo']>>;

export const collapseIds = (messages: Messages) => messages.map(({ headers }) => headers['apns-collapse-id']);

export const alerts = (messages: Messages) =>
  messages.map(({ body }) => (body as { aps: { alert: { title: string }; sound?: string } }).aps);
