import { pino } from 'pino';
import { expect, it } from 'vitest';
import { notificationJobs } from '../../src/jobs/notifications.js';
import type { Forget } from '../../src/platform/forget.js';
import { scheduledOf } from '../../src/platform/queues/jobs.js';

it('a table that rows cannot be deleted from keeps no other from it, and the run fails with its error', async () => {
  const forgotten: string[] = [];
  const forgetting =
    (table: string): Forget =>
    async () => {
      forgotten.push(table);
      return 0;
    };
  const failing: Forget = async () => {
    throw new Error('the table is locked');
  };
  const worker = { forgets: [forgetting('requests'), failing, forgetting('items')] };
  const jobs = notificationJobs({
    worker: worker as unknown as Parameters<typeof notificationJobs>[0]['worker'],
    alsoForget: [forgetting('commands')],
  });
  const run = scheduledOf(jobs)
    .find(({ name }) => name === 'notifications.forget')!
    .run({
      correlationId: 'c',
      logger: pino({ level: 'silent' }),
      signal: new AbortController().signal,
    });
  await expect(run).rejects.toThrow('the table is locked');
  expect(forgotten).toEqual(['requests', 'items', 'commands']);
});
