import { v7 } from 'uuid';
import { nextOf, readRule } from '../domains/notifications/schedule/recurring/rule.js';
import { dueOf } from '../domains/notifications/schedule/recurring/schedules.js';
import type { DemoSettings } from './contacts.js';
import { FRIENDS } from './people.js';
import { seededRandom } from './random.js';
import { DAY, HOUR } from './rhythm.js';

export type DemoSchedule = ReturnType<typeof makeSchedules>[number];

const RECIPIENTS = 5;
const WEEK = 7 * DAY;
/** The epoch was a Thursday. */
const MONDAY = 4 * DAY;

/**
 * Recurring notifications of the shop: one that goes on, on the clocks of its recipients, who are no friends; one that is paused, and one
 * that is over.
 */
export function makeSchedules(settings: readonly DemoSettings[], now: number) {
  const random = seededRandom(20);
  const friends = new Set<string>(FRIENDS.map(({ userId }) => userId));
  const recipients = settings
    .filter(({ userId, marketingOptIn }) => marketingOptIn && !friends.has(userId))
    .slice(0, RECIPIENTS)
    .map(({ userId }) => userId);
  const mondayAtNine = Math.floor((now - MONDAY) / WEEK) * WEEK + MONDAY + 9 * HOUR;
  const schedule = (
    scheduleId: string,
    rrule: string,
    startsAt: number,
    request: { readonly type: string; readonly templateId: string; readonly variables: object },
    own: {
      readonly status: 'ACTIVE' | 'PAUSED' | 'COMPLETED';
      readonly timezone: string | null;
      readonly occurrences: number;
    },
  ) => {
    const { type, templateId, variables } = request;
    const bytes = Uint8Array.from({ length: 16 }, () => random.int(0, 255));
    const createdAt = startsAt - DAY;
    const next = own.status === 'COMPLETED' ? null : nextAfter(rrule, startsAt, now);
    return {
      ...{ seriesId: v7({ msecs: createdAt, seq: 0, random: bytes }), producer: 'shop', scheduleId, rrule },
      ...own,
      startsAt: new Date(startsAt),
      createdAt: new Date(createdAt),
      endedAt: own.status === 'COMPLETED' ? new Date(startsAt + own.occurrences * DAY) : null,
      nextAt: next,
      dueAt: next && own.status === 'ACTIVE' ? dueOf(own.timezone, next, now) : null,
      request: {
        ...{ type, templateId, priority: 'low' },
        recipients: recipients.map((userId) => ({ userId, channels: ['email'], variables })),
      },
    };
  };
  return [
    schedule(
      'weekly-review',
      'FREQ=WEEKLY;BYDAY=MO',
      mondayAtNine - 8 * WEEK,
      { type: 'WEEKLY_DIGEST', templateId: 'weekly-digest.email.en', variables: { posts: 42, likes: 7 } },
      { status: 'ACTIVE', timezone: null, occurrences: 8 },
    ),
    schedule(
      'monthly-picks',
      'FREQ=MONTHLY;BYMONTHDAY=1',
      mondayAtNine - 16 * WEEK,
      {
        type: 'RECOMMENDATION',
        templateId: 'recommendation.email.en',
        variables: { item: 'A tent for two', item_id: 'prod-7' },
      },
      { status: 'PAUSED', timezone: 'Europe/Berlin', occurrences: 3 },
    ),
    schedule(
      'seven-days-of-offers',
      'FREQ=DAILY;COUNT=7',
      mondayAtNine - 2 * WEEK,
      {
        type: 'MARKETING_CAMPAIGN',
        templateId: 'marketing-campaign.email.en',
        variables: {
          campaign_id: 'seven-days',
          headline: 'Seven days of offers',
          offer: 'A new one each day.',
        },
      },
      { status: 'COMPLETED', timezone: 'Europe/Berlin', occurrences: 7 },
    ),
  ];
}

function nextAfter(rrule: string, startsAt: number, now: number): Date {
  const rule = readRule(rrule);
  const start = new Date(startsAt);
  const next = rule.ok && nextOf(rule.value, start, start, new Date(now));
  if (!next) throw new Error(`${rrule} does not go on`);
  return next;
}
