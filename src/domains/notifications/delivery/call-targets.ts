import { untilDeadline } from '../../../platform/deadline.js';
import { failed } from '../providers/failure.js';
import type { ProviderMessage, ProviderOutcome } from '../providers/provider.js';
import { withoutAddress } from '../text.js';
import { rulesOfChannel } from '../types.js';
import type { ClaimedDelivery, Target } from './claimed.js';
import type { DrainDeps } from './drain.js';
import type { Call } from './outcome.js';

/** Calls the provider of every target at once. Never rejects; none takes longer than `deadlineMs`. */
export function callTargets(
  delivery: ClaimedDelivery,
  { providers, tracking, clock, deadlineMs }: DrainDeps,
): Promise<readonly Call[]> {
  return Promise.all(
    delivery.targets.map(async (target): Promise<Call> => {
      const startedAt = new Date(clock.now());
      const provider = providers[target.kind];
      if (!provider) {
        const outcome = failed('REJECTED', `no provider for ${target.kind} is configured`);
        return { target, startedAt, outcome };
      }
      const message = messageTo(delivery, target);
      const dressed = rulesOfChannel(delivery.channel).isTracked ? tracking.dress(message) : message;
      const outcome = await untilDeadline(deadlineMs, (signal) => provider.send(dressed, signal));
      return { target, startedAt, outcome: redacted(outcome, target) };
    }),
  );
}

/** What providers say of an address may repeat it, and producers read it. */
const redacted = (outcome: ProviderOutcome, { address, token }: Target): ProviderOutcome =>
  outcome.kind === 'failed'
    ? { ...outcome, reason: withoutAddress(outcome.reason, token ?? address) }
    : outcome;

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
