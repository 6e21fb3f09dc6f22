import { v7 } from 'uuid';
import { renderTemplate } from '../domains/notifications/templates/render.js';
import type { DemoSettings } from './contacts.js';
import { FRIENDS } from './people.js';
import { seededRandom } from './random.js';
import { MINUTE } from './rhythm.js';
import type { DemoTemplate } from './templates.js';

export type DemoDeadLetter = ReturnType<typeof makeDeadLetters>[number];

const LETTERS = 12;
/** Older than what any alert looks at. */
const OLD = 30 * MINUTE;
const CHANNEL = 'email';
/** What providers said, and after how many attempts it was given up. */
const ERRORS = [
  ['PROVIDER_DOWN: HTTP 500', 4],
  ['PROVIDER_TIMEOUT: no answer in 5 s', 4],
  ['REJECTED: 550 5.7.1 looks like spam', 1],
  ['REJECTED: 554 transaction failed', 1],
] as const;

/** Mails that were given up in the last hours, as accept_notifications takes them, each with what it failed of. */
export function makeDeadLetters(
  settings: readonly DemoSettings[],
  templates: readonly DemoTemplate[],
  now: number,
) {
  const random = seededRandom(21);
  const friends = new Set<string>(FRIENDS.map(({ userId }) => userId));
  const template = templates.find(({ templateId }) => templateId === 'order-shipped.email.en')!;
  const strangers = settings.filter(({ userId }) => !friends.has(userId));
  return Array.from({ length: LETTERS }, (_, n) => {
    const { userId, email } = strangers[n * 7]!;
    const [error, attempts] = random.pick(ERRORS);
    const at = new Date(now - OLD - n * 11 * MINUTE);
    const bytes = Uint8Array.from({ length: 16 }, () => random.int(0, 255));
    const [requestId, deliveryId] = [0, 1].map((seq) => v7({ msecs: at.getTime(), seq, random: bytes }));
    const variables = {
      order_id: `order-${random.int(1, 600)}`,
      tracking_number: `TRACK-${random.int(1_000, 9_999)}`,
    };
    const rendering = renderTemplate({ ...template, pushOptions: {} }, variables);
    const failed = { target: CHANNEL, attempt: attempts - 1, reason: error };
    const request = {
      ...{ producer: 'shop', notificationId: `demo-given-up-${n}`, requestId, bodyHash: '00' },
      ...{ type: template.type, priority: 'medium', templateId: template.templateId, correlationId: 'demo' },
      ...{ at, maxRetries: 3, scheduleAt: null, expiresAt: null },
      response: {
        requestId,
        status: 'accepted',
        notificationsQueued: 1,
        estimatedDelivery: at.toISOString(),
        suppressed: [],
      },
      deliveries: [
        {
          ...{ deliveryId, userId, channel: CHANNEL, status: 'DEAD', address: email },
          content: rendering.kind === 'rendered' ? rendering.content : {},
          steps: [
            ...['CREATED', 'VALIDATED', 'PREFERENCE_CHECKED', 'RENDERED', 'QUEUED'].map((event) => ({
              event,
            })),
            { event: 'FAILED', detail: failed },
            { event: 'DLQ', detail: { final_error: error, total_attempts: attempts } },
          ],
        },
      ],
    };
    return { deliveryId, error, attempts, request };
  });
}
