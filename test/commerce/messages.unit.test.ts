import { expect, it } from 'vitest';
import { messageOf } from '../../src/domains/commerce/messages.js';
import type { NewEvent, RecordedEvent } from '../../src/platform/event-log/index.js';
import { cancelled, placed, refusedTransfer, shipped } from './history.js';

/** A stream of these events, the first at log position 1000. */
const streamOf = (...events: NewEvent[]): RecordedEvent[] =>
  events.map((event, streamPosition) => ({
    ...event,
    globalPosition: 1000 + streamPosition,
    streamId: 'Some-1',
    streamPosition,
    metadata: { correlationId: 'story', causationId: 'command' },
    createdAt: new Date(0),
  }));

it('the message about a shipped order goes to the user who placed it', () => {
  const story = streamOf(placed('o1', 'alice'), shipped('o1'));
  expect(messageOf(story[1]!, story)).toEqual({
    notificationId: 'order-shipped-1001',
    userId: 'alice',
    type: 'ORDER_SHIPPED',
    variables: { order_id: 'o1', tracking_number: 'TRACK-1' },
  });
});

it('the message about a refused transfer goes to the owner of its source account, with the reason in words', () => {
  const story = streamOf(refusedTransfer('t1', 'alice'));
  expect(messageOf(story[0]!, story)).toEqual({
    notificationId: 'payment-failed-1000',
    userId: 'alice',
    type: 'PAYMENT_FAILED',
    variables: { amount: '12.50 USD', reason: 'insufficient funds' },
  });
});

it('there is no message about any other event', () => {
  const story = streamOf(placed('o1', 'alice'), cancelled('o1', 'alice'));
  for (const event of story) expect(() => messageOf(event, story)).toThrow('nobody is notified');
});

it('a message’s id fits a notification, however long the log', () => {
  const [event] = streamOf(refusedTransfer('t1', 'alice'));
  const last = { ...event!, globalPosition: Number.MAX_SAFE_INTEGER };
  expect(messageOf(last, [last]).notificationId.length).toBeLessThanOrEqual(64);
});
