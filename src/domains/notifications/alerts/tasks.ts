import { z } from 'zod';
import { defineTask } from '../../../platform/queues.js';

/** Judges the dead letters' failure rate, as there is a new one. */
export const watchDeadLetters = defineTask({
  name: 'notifications.dead-letter-rate',
  queue: 'notifications.maintenance',
  payload: z.object({}),
});
