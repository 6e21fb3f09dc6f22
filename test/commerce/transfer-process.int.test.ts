import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { advanceTransferTask, COMMERCE_QUEUE } from '../../src/domains/commerce/tasks.js';
import { commerceQueues, scheduleCommerceTasks } from '../../src/jobs/commerce.js';
import { openQueues, type Queues, workQueue } from '../../src/platform/queues.js';
import { openRedis } from '../../src/platform/redis.js';
import { transferProcess } from '../../src/projectors/commerce/transfer-process.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { acceptedOf, alice, dyingCommerce, onTransfers, root } from './transfer-world.js';
import { type CommerceOnTest, checkpointOf, openCommerce, startProjector } from './with-commerce.js';

const silent = pino({ level: 'silent' });
let server: TestRedis;
let queues: Queues;
let on: CommerceOnTest;
let world: ReturnType<typeof onTransfers>;

beforeAll(async () => {
  [server, on] = await Promise.all([startTestRedis(), openCommerce()]);
  queues = openQueues({ url: server.url }, silent, { rescheduleMs: 500 });
  world = onTransfers(on);
});
afterAll(async () => {
  await queues.close();
  await on.close();
  await server.stop();
});

const startWorker = (commerce = on.commerce) => {
  const { handlers, concurrency } = commerceQueues({
    ...on,
    commerce,
    queues,
    sendMessage: () => Promise.reject(new Error('no transfer of these is told of')),
  }).find(({ queue }) => queue === COMMERCE_QUEUE)!;
  return workQueue(
    { url: server.url },
    COMMERCE_QUEUE,
    handlers,
    { concurrency, lockDurationMs: 5_000 },
    silent,
  );
};
const until = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 40_000, interval: 20 });
const untilOver = (transferId: string, ...story: string[]) =>
  until(async () => expect(await world.storyOf(transferId)).toEqual(['Started', ...story]));
/** As if it had begun a while ago. */
const age = (transferId: string) =>
  on.postgres.query(`UPDATE pending_transfers SET due_at = now() WHERE transfer_id = $1`, [transferId]);

it('a transfer is driven to its end by the worker, without anybody asking again', async () => {
  const [from, to] = [await world.newAccount('10'), await world.newAccount()];
  const [worker, projector] = [startWorker(), startProjector(on, transferProcess(queues))];
  const transferIds = await Promise.all(Array.from({ length: 5 }, () => world.start(from, to, '2')));
  for (const transferId of transferIds) await untilOver(transferId, 'Debited', 'Completed');
  expect(await world.balanceOf(from)).toBe('0.00');
  expect(await world.balanceOf(to)).toBe('10.00');
  await projector.stop();
  await worker.close();
}, 60_000);

it('one event has one job waiting, however often it is rung for', async () => {
  const transferId = await world.start(await world.newAccount('10'), await world.newAccount(), '2');
  const projector = transferProcess(queues);
  const { events } = await on.log.readAll((await on.log.head()) - 1, 1);
  for (let time = 0; time < 3; time += 1) await (await projector.apply(events, on.postgres))?.();
  expect(await queues.counts(COMMERCE_QUEUE)).toMatchObject({ waiting: 1 });
  const worker = startWorker();
  await untilOver(transferId, 'Debited', 'Completed');
  await worker.close();
}, 60_000);

it('each transfer of a batch is rung for in its own story', async () => {
  const [from, to] = [await world.newAccount('10'), await world.newAccount()];
  const transferIds: string[] = [];
  for (const caller of [alice, root]) {
    const input = { fromAccountId: from, toAccountId: to, amount: '1' };
    transferIds.push(acceptedOf(await on.commerce.transferMoney(caller, input)).aggregateId);
  }
  const { events } = await on.log.readAll((await on.log.head()) - 2, 2);
  const rung: unknown[] = [];
  const bell = { enqueueMany: async (_: unknown, jobs: readonly unknown[]) => void rung.push(...jobs) };
  await (await transferProcess(bell).apply(events, on.postgres))?.();
  expect(rung).toMatchObject([
    { payload: { transferId: transferIds[0] }, options: { correlationId: alice.correlationId } },
    { payload: { transferId: transferIds[1] }, options: { correlationId: root.correlationId } },
  ]);
});

it('the sweeper takes up whose job was lost, and only who is late', async () => {
  const [from, to] = [await world.newAccount('10'), await world.newAccount()];
  const [lost, fresh] = [await world.start(from, to, '2'), await world.start(from, to, '3')];
  const projector = startProjector(on, transferProcess(queues));
  await until(async () => expect(await checkpointOf(on, 'transfer-process')).toBe(await on.log.head()));
  await projector.stop();
  const redis = openRedis(server.url, () => undefined);
  await redis.flushall();
  redis.disconnect();

  expect(await on.commerce.takeUpOverdueTransfers(100)).toEqual([]);
  await age(lost);
  expect(await on.commerce.takeUpOverdueTransfers(100)).toEqual([lost]);
  // Taken up, it is not due again at once.
  expect(await on.commerce.takeUpOverdueTransfers(100)).toEqual([]);
  await age(lost);
  const worker = startWorker();
  await scheduleCommerceTasks(queues);
  await untilOver(lost, 'Debited', 'Completed');
  await age(fresh);
  await untilOver(fresh, 'Debited', 'Completed');
  await worker.close();
}, 90_000);

it('a job that fails half-way is finished by another, also where it was the sweeper’s own', async () => {
  const [from, to] = [await world.newAccount('10'), await world.newAccount()];
  const transferId = await world.start(from, to, '2');
  const failing = startWorker(dyingCommerce(on, 2, 'before'));
  await queues.enqueue(advanceTransferTask, { transferId }, { correlationId: 'story', doorbell: transferId });
  await until(async () => expect(await queues.counts(COMMERCE_QUEUE)).toMatchObject({ failed: 1 }));
  await failing.close();
  expect(await world.storyOf(transferId)).toEqual(['Started', 'Debited']);

  await age(transferId);
  await scheduleCommerceTasks(queues);
  const worker = startWorker();
  await untilOver(transferId, 'Debited', 'Completed');
  await worker.close();
}, 90_000);
