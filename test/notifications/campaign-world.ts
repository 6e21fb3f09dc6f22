import { randomUUID } from 'node:crypto';
import type {
  BatchRequest,
  Campaign,
  CampaignAction,
  Notifications,
} from '../../src/domains/notifications/index.js';
import { setUserAttributes } from '../../src/domains/notifications/segments/set-attributes.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import { systemClock } from '../../src/platform/clock.js';
import { aTemplate, type NotificationWorld, shop, unique, until } from './notification-world.js';

/** Users with an account and an iPhone each, who alone have this cohort. */
export interface Cohort {
  readonly userIds: readonly string[];
  readonly filter: string;
}

export async function aCohort(world: NotificationWorld, count: number): Promise<Cohort> {
  const name = randomUUID().slice(0, 8);
  const userIds = Array.from({ length: count }, (_, n) => `${name}-${String(n).padStart(5, '0')}`);
  await addAccounts(world, userIds);
  await world.postgres.query(
    `INSERT INTO user_devices (user_id, device_id, platform, device_token)
     SELECT user_id, 'phone', 'ios', encode(sha256(convert_to(user_id, 'UTF8')), 'hex') FROM unnest($1::text[]) AS user_id`,
    [userIds],
  );
  await addToCohort(world, name, userIds);
  return { userIds, filter: `cohort = "${name}"` };
}

export async function addAccounts(world: NotificationWorld, userIds: readonly string[]): Promise<void> {
  await world.postgres.query(
    'INSERT INTO users (user_id, display_name) SELECT user_id, user_id FROM unnest($1::text[]) AS user_id',
    [userIds],
  );
}

export async function addToCohort(
  world: NotificationWorld,
  cohort: string,
  userIds: readonly string[],
): Promise<void> {
  for (let at = 0; at < userIds.length; at += 1_000) {
    const users = userIds.slice(at, at + 1_000).map((userId) => ({ userId, attributes: { cohort } }));
    const set = await setUserAttributes({ postgres: world.postgres, clock: systemClock }, shop, users);
    if (!set.ok) throw new Error(JSON.stringify(set.errors));
  }
}

/** A type of its own with a push template, which nothing limits but the channel. */
export const aPush = (world: NotificationWorld, type = unique('NEWS')): Promise<string> =>
  aTemplate(world, 'push', type, { title: 'News', body: 'What is new' });

export async function begin(
  world: NotificationWorld,
  request: Omit<BatchRequest, 'batchId'>,
  by: Caller = shop,
): Promise<Campaign> {
  const sent = await world.notifications.campaigns.send(by, { batchId: unique('batch'), ...request });
  if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
  return sent.value;
}

/** Works on campaigns as a worker does that delivers nothing. */
export function expandOn(
  notifications: Notifications,
  options: { readonly aheadMs?: number } = {},
): { readonly done: Promise<void>; stop(): Promise<void> } {
  const controller = new AbortController();
  const worker = notifications.openDelivery({ providers: { close: async () => undefined }, ...options });
  const done = worker.expandCampaigns(controller.signal);
  return {
    done,
    stop: async () => {
      controller.abort();
      await done;
    },
  };
}

/** A rate that holds nothing up. */
export const FAST = { maxPerSecond: 100_000 };

export const controlOn = (
  world: NotificationWorld,
  { campaignId }: Campaign,
  action: CampaignAction,
  by: Caller = shop,
) => world.notifications.campaigns.control(by, campaignId, action);

export async function campaignOf(world: NotificationWorld, { campaignId }: Campaign): Promise<Campaign> {
  const [campaign] = await world.notifications.campaigns.byId([campaignId]);
  return campaign!;
}

export const inCampaignStatus = (world: NotificationWorld, campaign: Campaign, status: Campaign['status']) =>
  until(async () => {
    const now = await campaignOf(world, campaign);
    return now.status === status && now;
  });

export interface StoredDelivery {
  readonly userId: string;
  readonly channel: string;
  readonly status: string;
  readonly suppression: string | null;
  readonly createdAt: Date;
  readonly requestId: string;
  readonly deliveryId: string;
}

/** All deliveries of a campaign. */
export async function deliveriesOfCampaign(
  world: NotificationWorld,
  { campaignId }: Campaign,
): Promise<readonly StoredDelivery[]> {
  const { rows } = await world.postgres.query<StoredDelivery>(
    `SELECT d.user_id AS "userId", d.channel, d.status, d.suppression, d.created_at AS "createdAt", d.request_id AS "requestId",
            d.delivery_id AS "deliveryId"
     FROM campaign_pages p JOIN deliveries d USING (request_id) WHERE p.campaign_id = $1 ORDER BY d.sequence`,
    [campaignId],
  );
  return rows;
}

/** The deliveries of a campaign by their status. */
export const statusesOf = async (world: NotificationWorld, campaign: Campaign) =>
  Object.groupBy(await deliveriesOfCampaign(world, campaign), ({ status }) => status);
