import { v7 } from 'uuid';
import { DAILY_AT, digestDueAt } from '../domains/notifications/digests/due.js';
import { digestIdOf } from '../domains/notifications/digests/gather.js';
import { renderTemplate } from '../domains/notifications/templates/render.js';
import type { DemoSettings } from './contacts.js';
import { seededRandom } from './random.js';
import type { DemoTemplate } from './templates.js';

/** How many users have mails that wait for their digest. */
const READERS = 40;
const TYPE = 'RECOMMENDATION';
const CHANNEL = 'email';
const PRODUCER = 'demo';

/** A request as accept_notifications takes it, of one mail that waits for a digest. */
export type DemoDigested = ReturnType<typeof toRequest>;

/** Mails of low priority that came just now, two to five for each of some users who want digests. */
export function makeDigested(
  settings: readonly DemoSettings[],
  templates: readonly DemoTemplate[],
  now: number,
): readonly DemoDigested[] {
  const random = seededRandom(19);
  const template = templates.find((one) => one.templateId === 'recommendation.email.en')!;
  const wanting = settings.filter(
    ({ digestFrequency, marketingOptIn }) => digestFrequency !== 'realtime' && marketingOptIn,
  );
  return wanting.slice(0, READERS).flatMap((reader) =>
    Array.from({ length: random.int(2, 5) }, (_, n) => {
      const bytes = Uint8Array.from({ length: 16 }, () => random.int(0, 255));
      const item = random.faker.commerce.productName();
      const variables = { item, item_id: `prod-${random.int(1, 300)}` };
      return toRequest(reader, n, template, variables, bytes, now);
    }),
  );
}

function toRequest(
  { userId, timezone, quietHours, digestFrequency, email }: DemoSettings,
  n: number,
  template: DemoTemplate,
  variables: Readonly<Record<string, string>>,
  bytes: Uint8Array,
  now: number,
) {
  const settings = {
    ...{ timezone, digestFrequency },
    ...{ quietHoursStart: quietHours?.start ?? null, quietHoursEnd: quietHours?.end ?? null },
  };
  const dueAt = new Date(digestDueAt(settings, now, DAILY_AT)!);
  const digest = { id: digestIdOf(userId, CHANNEL, dueAt), dueAt };
  const rendering = renderTemplate({ ...template, pushOptions: {} }, variables);
  const notificationId = `demo-${userId}-${n}`;
  const [requestId, deliveryId] = [0, 1].map((seq) => v7({ msecs: now, seq, random: bytes }));
  return {
    ...{ producer: PRODUCER, notificationId, requestId, bodyHash: '00', type: TYPE, priority: 'low' },
    ...{ templateId: template.templateId, correlationId: 'demo', at: new Date(now), maxRetries: 5 },
    ...{ scheduleAt: null, expiresAt: null },
    response: {
      ...{ requestId, status: 'accepted', notificationsQueued: 0 },
      estimatedDelivery: dueAt.toISOString(),
      suppressed: [{ userId, channel: CHANNEL, reason: 'DIGESTED', detail: digest.id }],
    },
    deliveries: [
      {
        ...{ deliveryId, userId, channel: CHANNEL, status: 'SUPPRESSED', suppression: 'DIGESTED' },
        content: rendering.kind === 'rendered' ? rendering.content : {},
        ...{ address: email, digest },
        steps: [
          ...['CREATED', 'VALIDATED', 'PREFERENCE_CHECKED', 'RENDERED'].map((event) => ({ event })),
          { event: 'SUPPRESSED', detail: { reason: 'DIGESTED', detail: digest.id } },
        ],
      },
    ],
  };
}
