import type { Clock } from '../../../platform/clock.js';
import type { Providers } from '../providers/index.js';
import type { ProviderMessage, ProviderOutcome } from '../providers/provider.js';
import type { ClaimedDelivery, Target } from './claimed.js';
import type { Call } from './outcome.js';

/** Calls the provider of every target at once. Never rejects; none takes longer than `deadlineMs`. */
export function callTargets(
  delivery: ClaimedDelivery,
  providers: Providers,
  clock: Clock,
  deadlineMs: number,
): Promise<readonly Call[]> {
  return Promise.all(
    delivery.targets.map(async (target): Promise<Call> => {
      const startedAt = new Date(clock.now());
      const provider = providers[target.kind];
      const outcome = provider
        ? await provider.send(messageTo(delivery, target), AbortSignal.timeout(deadlineMs))
        : switchedOff(target);
      return { target, startedAt, outcome };
    }),
  );
}

function messageTo(delivery: ClaimedDelivery, target: Target): ProviderMessage {
  const { deliveryId, notificationId, userId, notificationType, priority, content, expiresAt } = delivery;
  return {
    deliveryId,
    notificationId,
    userId,
    notificationType,
    priority,
    address: target.address,
    content,
    ...(expiresAt && { expiresAt }),
  };
}

const switchedOff = (target: Target): ProviderOutcome => ({
  kind: 'failed',
  code: 'REJECTED',
  reason: `no provider for ${target.kind} is configured`,
  retryable: false,
  removeToken: false,
  outcomeUnknown: false,
});
