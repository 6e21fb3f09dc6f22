import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeadLetter, deadLetter, watchDeadLetters } from '../../src/domains/notifications/index.js';
import { prefixOf } from '../../src/platform/queues/queues.js';
import { sendPushes } from './dead-letter-world.js';
import { aTemplate, type NotificationWorld, openNotificationWorld, until } from './notification-world.js';
import { type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

let world: NotificationWorld;
let trial: SandboxTrial;
let maintenance: Queue;

beforeAll(async () => {
  [world, trial] = await Promise.all([openNotificationWorld(), tryWithSandbox()]);
  const { queue } = watchDeadLetters;
  maintenance = new Queue(queue, { connection: world.redis, prefix: prefixOf(queue) });
});
afterAll(async () => {
  await maintenance.close();
  await world.close();
  await trial.close();
});

const activeAlerts = async () =>
  (await world.notifications.alerts.list(true)).map(({ name, scope }) => `${name} ${scope}`);

describe('a worker', () => {
  it('raises the dead letters’ alert within seconds of the deliveries that die', async () => {
    const templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED');
    await trial.misbehave({ channel: 'push', status: 400, reason: 'BadTopic' });
    const worker = world.work({ providers: trial.providers() });
    await sendPushes(world, templateId, 5);
    await until(async () => (await activeAlerts()).includes('dead_letter_failure_rate push'), 10_000);
    await worker.close();
  });

  it('looks at many dead letters once a second, and once after the last', async () => {
    const letter: DeadLetter = {
      notification_id: 'n',
      user_id: 'u',
      channel: 'push',
      priority: 'low',
      rendered_content: {},
      attempt: 3,
      max_retries: 3,
      created_at: 0,
      last_error: 'e',
      final_error: 'e',
      failed_at: new Date().toISOString(),
      total_attempts: 4,
    };
    const started = Math.floor(Date.now() / 1_000);
    const worker = world.work({ providers: trial.providers() });
    const jobs = Array.from({ length: 500 }, () => ({ payload: letter, options: { correlationId: 'test' } }));
    await world.queues.enqueueMany(deadLetter, jobs);
    let busyIn = started;
    await until(async () => {
      const asked = Date.now();
      const { waiting, active } = await world.queues.counts(deadLetter.queue);
      if (waiting === 0 && active === 0) return true;
      busyIn = Math.floor(asked / 1_000);
      return false;
    });
    const ended = Math.floor(Date.now() / 1_000);
    const looks = async () => {
      const all = await maintenance.getJobs(['completed', 'delayed', 'active', 'waiting']);
      return all.filter(
        ({ name, timestamp }) => name === watchDeadLetters.name && timestamp >= started * 1_000,
      );
    };
    await until(async () => (await looks()).every(({ finishedOn }) => finishedOn !== undefined));
    const done = await looks();
    expect(done.length).toBeGreaterThan(0);
    expect(done.length).toBeLessThanOrEqual(ended - started + 1);
    expect(Math.max(...done.map(({ processedOn }) => processedOn!))).toBeGreaterThanOrEqual(busyIn * 1_000);
    await worker.close();
  });

  it('looks at every rule by itself, again and again', async () => {
    const worker = world.work({ providers: trial.providers() });
    world.runSchedules();
    for (let time = 0; time < 2; time += 1) {
      await world.redis.del('tidings:alert-observations');
      await until(() => world.redis.exists('tidings:alert-observations'));
    }
    await worker.close();
  });
});
