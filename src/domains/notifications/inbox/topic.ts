import { withinMs } from '../../../platform/deadline.js';
import type { Logger } from '../../../platform/logger.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups.js';

/** Woken whenever the user's inbox has changed. */
export const inboxTopic = (userId: string): string => `inbox:${userId}`;

/** How long a change may wait for Redis. */
const PUBLISH_WITHIN_MS = 2_000;

/** Wakes the subscribers of the inboxes. Never rejects: the change is stored, and is seen with the next one. */
export async function publishChanged(
  deps: { readonly wakeUps: WakeUpPublisher; readonly logger: Logger },
  userIds: readonly string[],
): Promise<void> {
  const wakeUps = [...new Set(userIds)].map((userId) => ({ topics: [inboxTopic(userId)], payload: {} }));
  await withinMs(PUBLISH_WITHIN_MS, deps.wakeUps.publish(wakeUps)).catch((error: unknown) =>
    deps.logger.warn({ err: error, inboxes: wakeUps.length }, 'followers of inboxes were not woken'),
  );
}
