import type { WakeUpPublisher } from '../../../platform/wake-ups.js';

/** Woken whenever the request has new lifecycle events. */
export const topicOf = (requestId: string): string => `notification:${requestId}`;

/** Wakes the subscribers of requests. */
export function publishMoved(wakeUps: WakeUpPublisher, requestIds: readonly string[]): Promise<void> {
  return wakeUps.publish(requestIds.map((requestId) => ({ topics: [topicOf(requestId)], payload: {} })));
}
