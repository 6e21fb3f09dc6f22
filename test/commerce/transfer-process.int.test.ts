import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Commerce } from '../../src/domains/commerce/index.js';
import { advanceTransferTask, COMMERCE_QUEUE } from '../../src/domains/commerce/tasks.js';
import { transferOutbox } from '../../src/domains/commerce/transfer/pending.js';
import { commerceJobs } from '../../src/jobs/commerce.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import type { Outbox } from '../../src/platform/outbox/index.js';
import { type QueueJob, scheduledOf, workJobs } from '../../src/platform/queues/jobs.js';
import { openQueues, type Queues } from '../../src/platform/queues/queues.js';
import { runSchedules } from '../../src/platform/queues/schedules.js';
import { openRedis } from '../../src/platform/redis/redis.js';
import { transferProcess } from '../../src/projectors/commerce/transfer-process.js';
import { makeDue, outboxOn } from '../support/outbox.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { acceptedOf, alice, dyingCommerce, onTransfers, root } from './transfer-world.js';
import {
  type CommerceOnTest,
  callerNamed,
  checkpointOf,
  openCommerce,
  startProjector,
} from './with-commerce.js';

const silent = pino({ level: 'silent' });
let server: TestRedis;
let queues: Queues;
let outbox: Outbox;
let on: CommerceOnTest;
let world: ReturnType<typeof onTransfers>;

beforeAll(async () => {
  [server, on] = await Promise.all([startTestRedis(), openCommerce()]);
  queues = openQueues({ urls: [server.url] }, silent);
  outbox = outboxOn(on.postgres, queues);
  world = onTransfers(on);
});
afterAll(async () => {
  await queues.close();
  await on.close();
  await server.stop();
});

const jobsOn = (commerce: typeof on.commerce) =>
  commerceJobs({
    ...on,
    outbox,
    commerce,
    sendMessage: () => Promise.reject(new Error('nobody is notified of these transfers')),
  });
const startWorker = (commerce = on.commerce, atOnce?: number) => {
  const jobs = jobsOn(commerce)
    .filter((job): job is QueueJob => job.task?.queue === COMMERCE_QUEUE)
    .map((job) => ({ ...job, concurrency: atOnce ?? job.concurrency }));
  return workJobs({ urls: [server.url] }, jobs, silent);
};
const startSchedules = () =>
  runSchedules(scheduledOf(jobsOn(on.commerce)), {
    postgres: on.postgres,
    logger: silent,
    metrics: new Registry(),
  });
const until = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 40_000, interval: 20 });
const untilOver = (transferId: string, ...story: string[]) =>
  until(async () => expect(await world.storyOf(transferId)).toEqual(['Started', ...story]));
/** As if it had begun a while ago. */
const age = (transferId: string) => makeDue(on.postgres, transferOutbox, transferId);

it('a transfer is driven to its end by the worker, without anybody asking again', async () => {
  const [from, to] = [await world.newAccount('10'), await world.newAccount()];
  const [worker, projector] = [startWorker(), startProjector(on, transferProcess(outbox))];
  const transferIds = await Promise.all(Array.from({ length: 5 }, () => world.start(from, to, '2')));
  for (const transferId of transferIds) await untilOver(transferId, 'Debited', 'Completed');
  expect(await world.balanceOf(from)).toBe('0.00');
  expect(await world.balanceOf(to)).toBe('10.00');
  await projector.stop();
  await worker.close();
});

it('one event has one job waiting, however often it is enqueued', async () => {
  const transferId = await world.start(await world.newAccount('10'), await world.newAccount(), '2');
  const projector = transferProcess(outbox);
  const { events } = await on.log.readAll((await on.log.head()) - 1, 1);
  for (let time = 0; time < 3; time += 1) await (await projector.apply(events, on.postgres))?.();
  expect(await queues.counts(COMMERCE_QUEUE)).toMatchObject({ waiting: 1 });
  const worker = startWorker();
  await untilOver(transferId, 'Debited', 'Completed');
  await worker.close();
});

it('each transfer of a batch is enqueued under its own correlation id', async () => {
  const [from, to] = [await world.newAccount('10'), await world.newAccount()];
  const transferIds: string[] = [];
  for (const caller of [alice, root]) {
    const input = { fromAccountId: from, toAccountId: to, amount: '1' };
    transferIds.push(acceptedOf(await on.commerce.transferMoney(caller, input)).aggregateId);
  }
  const { events } = await on.log.readAll((await on.log.head()) - 2, 2);
  const enqueued: unknown[] = [];
  const recording = outboxOn(on.postgres, {
    enqueueMany: async (_: unknown, jobs: readonly unknown[]) => void enqueued.push(...jobs),
  });
  await (await transferProcess(recording).apply(events, on.postgres))?.();
  expect(enqueued).toMatchObject([
    { payload: { transferId: transferIds[0] }, options: { correlationId: alice.correlationId } },
    { payload: { transferId: transferIds[1] }, options: { correlationId: root.correlationId } },
  ]);
});

it('the sweeper takes up whose job was lost, and only who is late', async () => {
  const [from, to] = [await world.newAccount('10'), await world.newAccount()];
  const [lost, fresh] = [await world.start(from, to, '2'), await world.start(from, to, '3')];
  const projector = startProjector(on, transferProcess(outbox));
  await until(async () => expect(await checkpointOf(on, 'transfer-process')).toBe(await on.log.head()));
  await projector.stop();
  const redis = openRedis([server.url], () => undefined);
  await redis.flushall();
  redis.disconnect();

  expect(await outbox.claim(transferOutbox, 100)).toEqual([]);
  await age(lost);
  expect(await outbox.claim(transferOutbox, 100)).toMatchObject([
    { payload: { transferId: lost }, correlationId: alice.correlationId },
  ]);
  // Taken up, it is not due again at once.
  expect(await outbox.claim(transferOutbox, 100)).toEqual([]);
  await age(lost);
  const worker = startWorker();
  const schedules = startSchedules();
  await untilOver(lost, 'Debited', 'Completed');
  await age(fresh);
  await untilOver(fresh, 'Debited', 'Completed');
  await schedules.close();
  await worker.close();
}, 90_000);

it('a transfer of somebody else overtakes all but the first of a user’s, whichever sources those come from', async () => {
  const [trader, somebody] = [callerNamed('trader'), callerNamed('somebody')];
  const target = await world.newAccount();
  const startOf = async (caller: Caller, fromAccountId: string) =>
    acceptedOf(
      await on.commerce.transferMoney(caller, { fromAccountId, toAccountId: target, amount: '0.01' }),
    ).aggregateId;
  const sources = await Promise.all([1, 2].map(() => world.newAccount('10', trader)));
  const [first, second] = [await startOf(trader, sources[0]!), await startOf(trader, sources[0]!)];
  const [third, other] = [await startOf(trader, sources[0]!), await startOf(trader, sources[1]!)];
  const bystander = await startOf(somebody, await world.newAccount('1', somebody));
  const projector = startProjector(on, transferProcess(outbox));
  await until(async () => expect(await checkpointOf(on, 'transfer-process')).toBe(await on.log.head()));
  await projector.stop();
  const over: string[] = [];
  const commerce: Commerce = {
    ...on.commerce,
    async advanceTransfer(transferId) {
      over.push(transferId);
      await on.commerce.advanceTransfer(transferId);
    },
  };
  const worker = startWorker(commerce, 1);
  await untilOver(third, 'Debited', 'Completed');
  await worker.close();
  const mine = [first, second, third, other, bystander];
  const order = over.filter((id) => mine.includes(id));
  expect(new Set(order.slice(0, 2))).toEqual(new Set([first, bystander]));
  // What began before there was another source keeps its turn.
  expect(new Set(order.slice(2, 4))).toEqual(new Set([second, other]));
  expect(order[4]).toBe(third);
});

it('a job that fails half-way is finished by another, also where it was the sweeper’s own', async () => {
  const [from, to] = [await world.newAccount('10'), await world.newAccount()];
  const transferId = await world.start(from, to, '2');
  const failing = startWorker(dyingCommerce(on, 2, 'before'));
  await queues.enqueue(
    advanceTransferTask,
    { transferId },
    { correlationId: 'story', deduplicationId: transferId },
  );
  await until(async () => expect(await queues.counts(COMMERCE_QUEUE)).toMatchObject({ failed: 1 }));
  await failing.close();
  expect(await world.storyOf(transferId)).toEqual(['Started', 'Debited']);

  await age(transferId);
  const schedules = startSchedules();
  const worker = startWorker();
  await untilOver(transferId, 'Debited', 'Completed');
  await schedules.close();
  await worker.close();
}, 90_000);
