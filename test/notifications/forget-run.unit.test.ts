import { pino } from 'pino';
import { expect, it } from 'vitest';
import { notificationSchedules } from '../../src/jobs/notifications.js';
import type { Forget } from '../../src/platform/forget.js';

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
  const schedules = notificationSchedules({
    worker: worker as unknown as Parameters<typeof notificationSchedules>[0]['worker'],
    alsoForget: [forgetting('commands')],
  });
  const run = schedules
    .find(({ name }) => name === 'notifications.forget')!
    .run({
      correlationId: 'c',
      logger: pino({ level: 'silent' }),
      signal: new AbortController().signal,
    });
  await expect(run).rejects.toThrow('the table is locked');
  expect(forgotten).toEqual(['requests', 'items', 'commands']);
});
