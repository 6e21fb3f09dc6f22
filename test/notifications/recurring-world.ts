import type {
  NewSchedule,
  ScheduleAction,
} from '../../src/domains/notifications/schedule/recurring/schedules.js';
import { aTemplate, aUser, deliveriesOf, openNotificationWorld, shop, unique } from './notification-world.js';
import { HeldClock } from './with-sandbox.js';

/** A clock that a test sets. */
class SetClock extends HeldClock {
  set(text: string): void {
    this.forward((Date.parse(text) - this.now()) / 1000);
  }
}

/** Notifications with a clock that a test sets, and what it does with schedules of the shop's. */
export async function openRecurringWorld() {
  const clock = new SetClock();
  const world = await openNotificationWorld(clock);
  const templateId = await aTemplate(world, 'push', 'NEW_MESSAGE');
  const { userId } = await aUser(world);
  const schedules = () => world.notifications.schedules;
  const input = (own: Partial<NewSchedule> = {}): NewSchedule => ({
    scheduleId: unique('daily').slice(0, 30),
    rrule: 'FREQ=DAILY',
    startsAt: new Date('2027-03-27T08:00:00Z'),
    timezone: 'Europe/Berlin',
    type: 'NEW_MESSAGE',
    templateId,
    recipients: [{ userId, channels: ['push'], variables: { name: 'Ann' } }],
    ...own,
  });
  return {
    ...{ world, clock, userId, schedules, input },
    async create(own: Partial<NewSchedule> = {}, now = '2027-03-01T00:00:00Z') {
      clock.set(now);
      const created = await schedules().create(shop, input(own));
      if (!created.ok) throw new Error(JSON.stringify(created.errors));
      return created.value;
    },
    /** Nobody who has had as many as the limits allow. */
    async toSomebody() {
      const somebody = await aUser(world);
      return { recipients: [{ userId: somebody.userId, channels: ['push' as const] }] };
    },
    async run(notifications = world.notifications): Promise<void> {
      const worker = notifications.openDelivery({ providers: {} as never });
      while (!(await worker.sendRecurring()).isLast);
    },
    sentAt: async (scheduleId: string, ...stamps: string[]) =>
      Promise.all(stamps.map(async (stamp) => (await deliveriesOf(world, `${scheduleId}.${stamp}`)).length)),
    /** As the schedule's producer, by its own id. */
    controlOwn: async (scheduleId: string, action: ScheduleAction) =>
      schedules().control(shop, (await schedules().find('shop', scheduleId))?.seriesId ?? null, action),
    close: () => world.close(),
  };
}

export type RecurringWorld = Awaited<ReturnType<typeof openRecurringWorld>>;
