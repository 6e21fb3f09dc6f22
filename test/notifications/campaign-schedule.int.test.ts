import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignAction } from '../../src/domains/notifications/index.js';
import { aCohort, addAccounts, addToCohort, aPush, begin, type Cohort, expandOn } from './campaign-world.js';
import { type NotificationWorld, openNotificationWorld, shop, unique, until } from './notification-world.js';

let world: NotificationWorld;
let templateId: string;
let cohort: Cohort;
beforeAll(async () => {
  world = await openNotificationWorld();
  templateId = await aPush(world);
  cohort = await aCohort(world, 2);
});
afterAll(() => world.close());

const HOUR_MS = 3_600_000;
const inMs = (ms: number): Date => new Date(Date.now() + ms);
const schedule = (scheduleAt: Date, filter = cohort.filter) =>
  begin(world, { templateId, segment: { filter }, scheduleAt });
const find = async (batchId: string) => (await world.notifications.campaigns.find(shop, batchId))!;
async function control(batchId: string, action: CampaignAction): Promise<string> {
  const { campaignId } = await find(batchId);
  const result = await world.notifications.campaigns.control(shop, campaignId, action);
  return result.ok ? result.value.status : result.errors[0]!.code;
}
/** By the database's clock, which decides. */
const itsTimeHasCome = (batchId: string) =>
  world.postgres.query(`UPDATE campaigns SET schedule_at = now() - interval '1 second' WHERE batch_id = $1`, [
    batchId,
  ]);

describe('a campaign with a time', () => {
  it('begins then, with those who match by then', async () => {
    const own = await aCohort(world, 2);
    const scheduleAt = inMs(HOUR_MS);
    const { batchId } = await schedule(scheduleAt, own.filter);
    // A worker finds nothing to do, and leaves at once.
    await expandOn(world.notifications).done;
    expect(await find(batchId)).toMatchObject({
      status: 'SCHEDULED',
      matched: 0,
      startedAt: null,
      scheduleAt,
    });

    const late = unique('late');
    await addAccounts(world, [late]);
    await addToCohort(world, /"(.*)"/.exec(own.filter)![1]!, [late]);
    await itsTimeHasCome(batchId);
    await expandOn(world.notifications).done;
    expect(await find(batchId)).toMatchObject({ status: 'COMPLETED', matched: 3 });
  });

  it('begins by itself while workers run', async () => {
    const { batchId } = await schedule(inMs(1_500));
    const running = expandOn(world.notifications);
    await until(async () => {
      await expandOn(world.notifications).done;
      const { status, startedAt, scheduleAt } = await find(batchId);
      if (startedAt) expect(startedAt.getTime()).toBeGreaterThanOrEqual(scheduleAt!.getTime());
      return status === 'COMPLETED';
    });
    await running.stop();
  });

  it('is cancelled before it, and has then reached nobody', async () => {
    const { batchId } = await schedule(inMs(HOUR_MS));
    expect(await control(batchId, 'CANCEL')).toBe('CANCELLED');
    await itsTimeHasCome(batchId);
    await expandOn(world.notifications).done;
    expect(await find(batchId)).toMatchObject({ status: 'CANCELLED', matched: 0, startedAt: null });
    expect(await control(batchId, 'RESUME')).toBe('CAMPAIGN_OVER');
  });

  it('that is paused over it begins once it is resumed; resumed before it, it waits again', async () => {
    const { batchId } = await schedule(inMs(HOUR_MS));
    expect(await control(batchId, 'RESUME')).toBe('SCHEDULED');
    expect(await control(batchId, 'PAUSE')).toBe('PAUSED');
    expect(await control(batchId, 'RESUME')).toBe('SCHEDULED');
    expect(await control(batchId, 'PAUSE')).toBe('PAUSED');
    await itsTimeHasCome(batchId);
    await expandOn(world.notifications).done;
    expect(await find(batchId)).toMatchObject({ status: 'PAUSED', matched: 0 });
    expect(await control(batchId, 'RESUME')).toBe('PENDING');
    await expandOn(world.notifications).done;
    expect(await find(batchId)).toMatchObject({ status: 'COMPLETED', matched: 2 });
  });

  it('is the same for the same body, also once its time has passed, and another with another time', async () => {
    const batchId = unique('batch');
    const scheduleAt = inMs(HOUR_MS);
    const request = { batchId, templateId, segment: { filter: cohort.filter }, scheduleAt };
    const codeOf = async (own: object) => {
      const sent = await world.notifications.campaigns.send(shop, { ...request, ...own });
      return sent.ok ? sent.value.batchId : sent.errors.map(({ code, path }) => `${code} ${path?.join('.')}`);
    };
    expect(await codeOf({})).toBe(batchId);
    expect(await codeOf({ scheduleAt: inMs(2 * HOUR_MS) })).toEqual(['BATCH_ID_REUSED input.batchId']);
    expect(await codeOf({ scheduleAt: undefined })).toEqual(['BATCH_ID_REUSED input.batchId']);
    await control(batchId, 'CANCEL');
    expect(await codeOf({})).toBe(batchId);
    const another = { batchId: unique('batch') };
    expect(await codeOf({ ...another, scheduleAt: inMs(-HOUR_MS) })).toEqual([
      'SCHEDULE_IN_PAST input.scheduleAt',
    ]);
    expect(await codeOf({ ...another, scheduleAt: inMs(400 * 24 * HOUR_MS) })).toEqual([
      'SCHEDULE_TOO_FAR input.scheduleAt',
    ]);
    // A little late, since their clock is.
    expect(await codeOf({ ...another, scheduleAt: inMs(-5_000) })).toBe(another.batchId);
    expect((await find(another.batchId)).status).toBe('PENDING');
    await control(another.batchId, 'CANCEL');
  });

  it('is one of the campaigns that a producer may have open', async () => {
    const producer = {
      viewer: { userId: unique('producer'), roles: new Set(['producer'] as const), plan: 'free' },
      correlationId: 'c',
    };
    const send = (scheduleAt?: Date) =>
      world.notifications.campaigns.send(producer, {
        ...{ batchId: unique('batch'), templateId, segment: { filter: cohort.filter } },
        ...(scheduleAt && { scheduleAt }),
      });
    for (let n = 0; n < 20; n += 1) expect((await send(inMs(HOUR_MS))).ok).toBe(true);
    for (const one of [await send(), await send(inMs(HOUR_MS))])
      expect(one).toMatchObject({ ok: false, errors: [{ code: 'TOO_MANY_CAMPAIGNS' }] });
  });
});
