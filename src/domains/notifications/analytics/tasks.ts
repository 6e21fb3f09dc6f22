import { z } from 'zod';
import { defineTask } from '../../../platform/queues.js';

/** Counts what the lifecycle stream has told. */
export const countSteps = defineTask({
  name: 'notifications.count-steps',
  queue: 'notifications.analytics',
  payload: z.object({}),
});

/** Counts minutes that are over from delivery_events. */
export const reconcileCounts = defineTask({
  name: 'notifications.reconcile-counts',
  queue: 'notifications.analytics',
  payload: z.object({}),
});
