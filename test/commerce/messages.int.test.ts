import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Commerce, upcasters } from '../../src/domains/commerce/index.js';
import { notifyUser, type SendMessage } from '../../src/domains/commerce/messages.js';
import { orderStream } from '../../src/domains/commerce/order/events.js';
import { advanceTransferTask, messageOutbox, notifyUserTask } from '../../src/domains/commerce/tasks.js';
import { transferStream } from '../../src/domains/commerce/transfer/events.js';
import { commerceJobs } from '../../src/jobs/commerce.js';
import { createEventLog, type EventLog } from '../../src/platform/event-log/index.js';
import type { Outbox } from '../../src/platform/outbox/index.js';
import { type QueueJob, scheduledOf, workJobs } from '../../src/platform/queues/jobs.js';
import { runSchedules } from '../../src/platform/queues/schedules.js';
import { orderMessages } from '../../src/projectors/commerce/order-messages.js';
import { sendThrough } from '../../src/send-messages.js';
import {
  aTemplate,
  aUser,
  caller,
  type NotificationWorld,
  openNotificationWorld,
  until,
} from '../notifications/notification-world.js';
import { HeldClock, silent } from '../notifications/with-sandbox.js';
import { keysOf, makeDue, outboxOn } from '../support/outbox.js';
import { placed, refusedTransfer, shipped, write } from './history.js';
import { ids, startProjector } from './with-commerce.js';

const commerce = caller('commerce', 'producer');
let clock: HeldClock;
let world: NotificationWorld;
let log: EventLog;
let send: SendMessage;
let outbox: Outbox;
const running = new Set<() => Promise<void>>();

beforeAll(async () => {
  clock = new HeldClock();
  world = await openNotificationWorld(clock);
  log = createEventLog({ postgres: world.postgres, ids, upcasters });
  send = sendThrough(world.notifications);
  outbox = outboxOn(world.postgres, world.queues);
  await aTemplate(world, 'email', 'ORDER_SHIPPED', {
    subject: 'Order {{order_id}} is on its way',
    body: 'Tracking number: {{tracking_number}}',
  });
  await aTemplate(world, 'sms', 'ORDER_SHIPPED', { body: 'Order {{order_id}}' });
});
afterEach(async () => {
  await Promise.all([...running].map((stop) => stop()));
  running.clear();
});
afterAll(() => world.close());

/** An order of a reachable user, shipped as the log's newest event. */
async function aShippedOrder() {
  const { userId } = await aUser(world);
  const orderId = ids.next();
  const streamId = orderStream(orderId);
  const story = { correlationId: `story of ${orderId}`, causationId: 'ship', userId: 'root' };
  await write(log, streamId, [placed(orderId, userId)], story);
  const position = await write(log, streamId, [shipped(orderId)], story);
  return {
    userId,
    orderId,
    story,
    event: { streamId, streamPosition: 1 },
    told: `order-shipped-${position}`,
  };
}
const requestsUnder = async (notificationId: string): Promise<string[]> =>
  (
    await world.postgres.query<{ request_id: string }>(
      'SELECT request_id FROM notification_requests WHERE notification_id = $1',
      [notificationId],
    )
  ).rows.map((row) => row.request_id);
const isPending = async (streamId: string): Promise<boolean> =>
  (await keysOf(world.postgres, messageOutbox)).some((key) => key.startsWith(streamId));
const age = () => makeDue(world.postgres, messageOutbox);
const written = (notificationId: string) => log.readStream(`Notification-${notificationId}`);

const tenFirst = { limit: 10, direction: 'forward', cursor: null } as const;
const noTransfers = () => Promise.reject(new Error('there are no transfers'));

/** What a worker does. */
const jobsThat = (sendMessage: SendMessage, advanceTransfer: Commerce['advanceTransfer'] = noTransfers) =>
  commerceJobs({
    outbox,
    log,
    sendMessage,
    commerce: { advanceTransfer },
  });

/** Runs commerce's schedules from now on. */
function sweep(): void {
  const schedules = runSchedules(scheduledOf(jobsThat(send)), {
    postgres: world.postgres,
    logger: silent,
    metrics: new Registry(),
  });
  running.add(() => schedules.close());
}

/** The projector and the worker, as one process has them. */
function runEverything(sendMessage: SendMessage = send, advanceTransfer?: Commerce['advanceTransfer']): void {
  const url = world.postgres.pool.options.connectionString!;
  const projector = startProjector({ url, log }, orderMessages(outbox));
  running.add(() => projector.stop());
  const worker = workJobs({ urls: [world.redisUrl] }, jobsThat(sendMessage, advanceTransfer), silent);
  running.add(() => worker.close());
}

it('the buyer is notified that their order was shipped, under the order’s correlation id', async () => {
  const { userId, orderId, story, event, told } = await aShippedOrder();
  runEverything();
  const [requested] = await until(async () => {
    const events = await written(told);
    return events.length > 0 && events;
  });
  const [requestId] = await requestsUnder(told);
  expect(requested).toMatchObject({
    type: 'NotificationRequested',
    data: { notificationId: told, requestId, type: 'ORDER_SHIPPED', userId, version: 1 },
    metadata: {
      correlationId: story.correlationId,
      causationId: `${event.streamId}@1`,
      userId: 'commerce',
    },
  });
  const { edges } = await world.notifications.deliveriesOfUser(userId, {
    limit: 10,
    direction: 'forward',
    cursor: null,
  });
  const mail = edges.find(({ node }) => node.channel === 'email')!.node;
  expect(mail.content).toMatchObject({
    subject: `Order ${orderId} is on its way`,
    body: 'Tracking number: TRACK-1',
  });
});

it('an event that is projected and handled several times is notified of once, also after days', async () => {
  const { event, told } = await aShippedOrder();
  const recorded = (await log.readStream(event.streamId))[1]!;
  const again = async () => (await orderMessages(outbox).apply([recorded], world.postgres))?.();
  await Promise.all([again(), again()]);
  runEverything();
  await until(async () => (await written(told)).length > 0);
  await again();
  const deps = { log, send };
  expect(await Promise.all([notifyUser(deps, event), notifyUser(deps, event)])).toMatchObject([
    { ok: true },
    { ok: true },
  ]);
  clock.forward(3 * 86_400);
  expect(await notifyUser(deps, event)).toMatchObject({ ok: true });
  expect(await requestsUnder(told)).toHaveLength(1);
  expect(await written(told)).toHaveLength(1);
});

it('several processes that handle one event at the same time send one notification', async () => {
  const { event, told } = await aShippedOrder();
  const results = await Promise.all(Array.from({ length: 8 }, () => notifyUser({ log, send }, event)));
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(await requestsUnder(told)).toHaveLength(1);
  expect(await written(told)).toHaveLength(1);
});

it('killed after sending and before writing so, it sends nothing twice, though the text changed and days passed', async () => {
  const { event, told } = await aShippedOrder();
  const dying = { ...log, append: () => Promise.reject(new Error('killed')) };
  await expect(notifyUser({ log: dying, send }, event)).rejects.toThrow('killed');
  const requests = await requestsUnder(told);
  expect(requests).toHaveLength(1);
  await aTemplate(world, 'email', 'ORDER_SHIPPED', { subject: 'Another text' });
  clock.forward(3 * 86_400);
  expect(await notifyUser({ log, send }, event)).toMatchObject({ ok: true });
  expect(await requestsUnder(told)).toEqual(requests);
  expect(await written(told)).toMatchObject([{ data: { requestId: requests[0] } }]);
});

it('a message that cannot be sent for a while is sent later', async () => {
  const { event, told } = await aShippedOrder();
  let failures = 0;
  runEverything((by, message) => {
    if (message.notificationId !== told || failures > 0) return send(by, message);
    failures += 1;
    return Promise.reject(new Error('the database is away'));
  });
  await until(async () => failures > 0);
  expect(await isPending(event.streamId)).toBe(true);
  await age();
  sweep();
  await until(async () => (await written(told)).length > 0, 30_000);
  await until(async () => !(await isPending(event.streamId)));
  expect(failures).toBe(1);
});

it('a message whose job Redis has lost is sent all the same', async () => {
  const { event, told } = await aShippedOrder();
  const deaf = outboxOn(world.postgres, { enqueueMany: () => Promise.reject(new Error('Redis is away')) });
  const url = world.postgres.pool.options.connectionString!;
  const projector = startProjector({ url, log }, orderMessages(deaf));
  await until(async () => isPending(event.streamId));
  await projector.stop();
  await age();
  sweep();
  runEverything();
  await until(async () => (await written(told)).length > 0, 30_000);
  await until(async () => !(await isPending(event.streamId)));
});

it('a message waits for no transfer, however many are stuck', async () => {
  let letThrough = () => {};
  const stuck = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  let waiting = 0;
  runEverything(send, () => {
    waiting += 1;
    return stuck;
  });
  await world.queues.enqueueMany(
    advanceTransferTask,
    Array.from({ length: 40 }, () => ({
      payload: { transferId: ids.next() },
      options: { correlationId: 'story', priority: 1 },
    })),
  );
  try {
    await until(async () => waiting === 16);
    const { told } = await aShippedOrder();
    await until(async () => (await written(told)).length > 0);
    expect(waiting).toBe(16);
  } finally {
    letThrough();
  }
  await until(async () => waiting === 40);
});

it('the owner of the source account is notified of a refused transfer', async () => {
  const { userId } = await aUser(world);
  await aTemplate(world, 'email', 'PAYMENT_FAILED', { subject: 'Failed', body: '{{amount}}: {{reason}}' });
  const streamId = transferStream(ids.next());
  const position = await write(log, streamId, [refusedTransfer('t', userId)]);
  expect(await notifyUser({ log, send }, { streamId, streamPosition: 0 })).toMatchObject({ ok: true });
  const request = await world.notifications.request(commerce, `payment-failed-${position}`, null);
  const { edges } = await world.notifications.deliveriesOfRequest(request!.requestId, tenFirst);
  expect(edges.map(({ node }) => node.content?.body)).toContain('12.50 USD: insufficient funds');
});

it('a user who turned these messages off gets none, and support can look up the reason', async () => {
  const { userId, event, told } = await aShippedOrder();
  const channels = ['push', 'email', 'sms'] as const;
  const off = channels.map((channel) => ({ notificationType: 'ORDER_SHIPPED', channel, enabled: false }));
  await world.notifications.setPreferences(userId, off);
  // Again, as after a kill: a trace is no accepted request.
  for (let times = 0; times < 2; times += 1) {
    expect(await notifyUser({ log, send }, event)).toMatchObject({ errors: [{ code: 'NOTHING_TO_SEND' }] });
    expect(await requestsUnder(told)).toHaveLength(1);
    expect(await written(told)).toEqual([]);
  }
  const [requestId] = await requestsUnder(told);
  const { edges } = await world.notifications.deliveriesOfRequest(requestId!, tenFirst);
  expect(edges.map(({ node }) => node.suppression)).toContain('CHANNEL_DISABLED');
});

it('what was accepted is not sent again, whatever became of its deliveries', async () => {
  const { userId, told } = await aShippedOrder();
  const variables = { order_id: 'o', tracking_number: 't' };
  const again = () => send(commerce, { notificationId: told, userId, type: 'ORDER_SHIPPED', variables });
  await again();
  const first = await requestsUnder(told);
  for (const change of ["UPDATE deliveries SET status = 'SUPPRESSED'", 'DELETE FROM notification_ids'])
    await world.postgres.query(`${change} WHERE notification_id = $1`, [told]);
  expect(await again()).toMatchObject({ value: { requestId: first[0] } });
  expect(await requestsUnder(told)).toEqual(first);
});

it('without an active template nothing is sent, and the job completes', async () => {
  const none = {
    ...world.notifications,
    findActiveTemplate: () => world.notifications.findActiveTemplate('NONE'),
  };
  const { event, told } = await aShippedOrder();
  const warnings: unknown[] = [];
  const handler = jobsThat(sendThrough(none)).find((job): job is QueueJob => job.task === notifyUserTask);
  const logger = Object.assign(Object.create(silent), { warn: (line: unknown) => warnings.push(line) });
  const signal = new AbortController().signal;
  await handler!.run(event, { correlationId: 'story', logger, signal });
  expect(warnings).toMatchObject([{ ...event, errors: [{ code: 'TEMPLATE_NOT_FOUND' }] }]);
  expect(await written(told)).toEqual([]);
});
