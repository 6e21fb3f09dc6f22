import { z } from 'zod';

/** How a wake-up travels. */
export const wakeUp = z.object({
  topics: z.array(z.string()),
  payload: z.record(z.string(), z.json()),
  /** W3C trace context of what published it; absent where it is not sampled. */
  traceparent: z.string().optional(),
});

/** One thing that happened, for all subscribers of any of its topics. */
export type WakeUp = z.infer<typeof wakeUp>;

/** Every topic: all subscribers may have missed something. */
export const ALL_TOPICS = '*';
