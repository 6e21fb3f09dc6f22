import { expect, it } from 'vitest';
import { notificationQueues } from '../../src/domains/notifications/analytics/queues.js';
import type { DeliveryWorker } from '../../src/domains/notifications/index.js';
import { notificationJobs } from '../../src/jobs/notifications.js';
import { queueNamesOf } from '../../src/platform/queues/jobs.js';

it('admins see each queue of notifications that workers work, and no other', () => {
  const worked = queueNamesOf(notificationJobs({ worker: {} as DeliveryWorker }));
  expect(notificationQueues.toSorted()).toEqual(worked.toSorted());
});
