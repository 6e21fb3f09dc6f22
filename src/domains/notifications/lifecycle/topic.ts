import type { WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import type { DeliverySteps } from './steps.js';
import type { LifecycleStream } from './stream.js';

/** Woken whenever the request has new lifecycle events. */
export const topicOf = (requestId: string): string => `notification:${requestId}`;

/** Wakes the subscribers of requests. */
export function publishMoved(wakeUps: WakeUpPublisher, requestIds: readonly string[]): Promise<void> {
  return wakeUps.publish(requestIds.map((requestId) => ({ topics: [topicOf(requestId)], payload: {} })));
}

/** Publishes committed steps: to the lifecycle stream at once, then to the subscribers of their requests. */
export function publishSteps(
  { lifecycle, wakeUps }: { readonly lifecycle: LifecycleStream; readonly wakeUps: WakeUpPublisher },
  applied: readonly { readonly requestId: string; readonly steps: readonly DeliverySteps[] }[],
): Promise<void> {
  lifecycle.publish(applied.flatMap(({ steps }) => steps));
  return publishMoved(wakeUps, [...new Set(applied.map(({ requestId }) => requestId))]);
}
