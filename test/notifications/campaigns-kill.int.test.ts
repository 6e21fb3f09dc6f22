import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Campaign } from '../../src/domains/notifications/index.js';
import {
  aCohort,
  aPush,
  begin,
  type Cohort,
  campaignOf,
  deliveriesOfCampaign,
  expandOn,
} from './campaign-world.js';
import { deaths, mortal } from './mortal-postgres.js';
import { type NotificationWorld, openNotificationWorld, shop, until } from './notification-world.js';

let world: NotificationWorld;
beforeAll(async () => {
  world = await openNotificationWorld();
});
afterAll(() => world.close());

const seed = Number(process.env.CAMPAIGN_SEED ?? randomInt(2 ** 31));
const USERS = 60;

async function exactlyOnce(campaign: Campaign, { userIds }: Cohort): Promise<void> {
  const deliveries = await deliveriesOfCampaign(world, campaign);
  expect(deliveries.map(({ userId }) => userId).sort()).toEqual([...userIds].sort());
  expect(await campaignOf(world, campaign)).toMatchObject({
    status: 'COMPLETED',
    matched: userIds.length,
    queued: userIds.length,
    suppressed: 0,
  });
}

describe('everybody who matches has exactly one delivery', () => {
  it(`whichever statement a worker dies at (seed ${seed})`, async () => {
    const cohort = await aCohort(world, USERS);
    const places = fc.sample(fc.constantFrom(...deaths(40)), { numRuns: 6, seed });
    for (const { when, at } of places) {
      const templateId = await aPush(world);
      const campaign = await begin(world, {
        templateId,
        segment: { filter: cohort.filter },
        throttle: { maxPerSecond: 200 },
      });
      // What it does after its death is done by a worker of whom nothing is left.
      const dying = expandOn(world.another({ postgres: mortal(world.postgres, when, at) }));
      await Promise.race([
        dying.done.catch(() => undefined),
        until(async () => (await campaignOf(world, campaign)).matched >= randomInt(1, USERS)),
      ]);
      await dying.stop().catch(() => undefined);
      await expandOn(world.notifications).done;
      await exactlyOnce(campaign, cohort);
    }
  });

  it('where several workers expand it at once', async () => {
    const cohort = await aCohort(world, 300);
    const campaign = await begin(world, {
      templateId: await aPush(world),
      segment: { filter: cohort.filter },
      throttle: { maxPerSecond: 300 },
    });
    await Promise.all(Array.from({ length: 3 }, () => expandOn(world.another()).done));
    await exactlyOnce(campaign, cohort);
  });

  it('where it is paused for longer than notification ids are remembered', async () => {
    const cohort = await aCohort(world, 100);
    const campaign = await begin(world, {
      templateId: await aPush(world),
      segment: { filter: cohort.filter },
      throttle: { maxPerSecond: 100 },
    });
    const expanding = expandOn(world.notifications);
    await until(async () => (await campaignOf(world, campaign)).matched > 20);
    await world.notifications.campaigns.control(shop, campaign.campaignId, 'PAUSE');
    await expanding.done;
    await world.postgres.query('DELETE FROM notification_ids');
    await world.notifications.campaigns.control(shop, campaign.campaignId, 'RESUME');
    await expandOn(world.notifications).done;
    await exactlyOnce(campaign, cohort);
  });
});
