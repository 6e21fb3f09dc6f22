import { seededRandom } from './random.js';
import { HOUR, MINUTE } from './rhythm.js';

export type DemoWebhook = ReturnType<typeof makeWebhooks>[number];
export type DemoWebhookDelivery = ReturnType<typeof makeWebhookDeliveries>[number];

const DAY = 24 * HOUR;
const SECRET_BYTES = 60;
const LIFECYCLE = ['SENT', 'DELIVERED', 'FAILED', 'DLQ'];
const GIVEN_UP = 'An event could not be delivered for 3 days: the receiver answered 503';

const idOf = (kind: number, n: number): string =>
  `00000000-0000-7000-8${String(kind).padStart(3, '0')}-${String(n).padStart(12, '0')}`;

/**
 * Two of the shop's, one of which was disabled, and one of an admin's. None of them is active, so nothing is sent to their made-up
 * hosts; and nobody has a key for their secrets: who switches one on rotates its secret first.
 */
export function makeWebhooks(now: number) {
  const { faker } = seededRandom(11);
  const secret = (): string =>
    `\\x${faker.string.hexadecimal({ length: 2 * SECRET_BYTES, prefix: '', casing: 'lower' })}`;
  const made = { notificationTypes: [] as string[], disabledReason: null as string | null };
  return [
    {
      ...made,
      webhookId: idOf(1, 1),
      ownerId: 'shop',
      url: 'https://hooks.shop.example/tidings',
      eventTypes: LIFECYCLE,
      disabledReason: GIVEN_UP,
      secret: secret(),
      createdAt: new Date(now - 40 * DAY),
    },
    {
      ...made,
      webhookId: idOf(1, 2),
      ownerId: 'shop',
      url: 'https://crm.shop.example/notified',
      eventTypes: ['OPENED', 'CLICKED', 'UNSUBSCRIBED'],
      notificationTypes: ['ORDER_SHIPPED', 'MARKETING_CAMPAIGN'],
      secret: secret(),
      createdAt: new Date(now - 20 * DAY),
    },
    {
      ...made,
      webhookId: idOf(1, 3),
      ownerId: 'root',
      url: 'https://warehouse.example/orders',
      eventTypes: ['OrderPlaced', 'OrderShipped'],
      secret: secret(),
      createdAt: new Date(now - 12 * DAY),
    },
  ];
}

/** What was sent to the first of them: most was taken, until its receiver broke four days ago. */
export function makeWebhookDeliveries(now: number) {
  const random = seededRandom(12);
  return Array.from({ length: 60 }, (_, n) => {
    const isTaken = n < 48;
    const queuedAt = isTaken ? now - 6 * DAY + n * HOUR : now - 4 * DAY + (n - 48) * 10 * MINUTE;
    const userId = random.pick(['alice', 'bob']);
    const eventType = random.pick(LIFECYCLE);
    const requestId = idOf(3, n);
    const attempts = isTaken ? random.pick([1, 1, 1, 2]) : random.int(70, 90);
    const tookMs = random.int(80, 900);
    return {
      deliveryId: idOf(2, n),
      webhookId: idOf(1, 1),
      subject: requestId,
      number: 6,
      eventType,
      data: {
        notification_id: `demo-order-${n}`,
        request_id: requestId,
        delivery_id: idOf(4, n),
        user_id: userId,
        channel: random.pick(['push', 'email']),
        notification_type: 'ORDER_SHIPPED',
        event: eventType,
        status: eventType === 'DLQ' ? 'DEAD' : eventType === 'FAILED' ? 'RETRYING' : eventType,
        number: 6,
        detail: null,
      },
      happenedAt: new Date(queuedAt),
      status: isTaken ? 'DELIVERED' : 'FAILED',
      attempts,
      lastStatusCode: isTaken ? 204 : 503,
      lastAnswer: isTaken ? '' : 'upstream connect error or disconnect/reset before headers',
      lastError: isTaken ? null : 'the receiver answered 503',
      createdAt: new Date(queuedAt),
      deliveredAt: isTaken ? new Date(queuedAt + tookMs) : null,
    };
  });
}
