import type { Clock } from '../../../platform/clock.js';
import { groupCommit } from '../../../platform/group-commit.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { isDataError, type Queryable } from '../../../platform/postgres/postgres.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import { createAdapter } from '../providers/adapter.js';
import { failed } from '../providers/failure.js';
import { describe } from '../providers/https-client.js';
import type { Provider, ProviderMessage, ProviderOutcome } from '../providers/provider.js';
import { publishChanged } from './follow.js';
import { sql as statements } from './put.sql.js';

/** Items of one statement. */
const MAX_ITEMS = 200;

export interface InAppDeps {
  readonly postgres: Queryable;
  readonly wakeUps: WakeUpPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Puts notifications into their users' inboxes. What is sent at once is written at once. The item's id is the
 * delivery's, so a repeated call changes nothing, and none is ever in doubt. All of a group share an item: a later one takes its place,
 * and an earlier one that comes late changes nothing.
 *
 * Answers `accepted`: it is delivered once a client of the user's was handed it.
 */
export function createInAppProvider(deps: InAppDeps): Provider {
  const { postgres, clock, logger } = deps;

  async function putAll(messages: readonly ProviderMessage[]): Promise<readonly null[]> {
    const items = JSON.stringify(messages.map(toItem));
    await postgres.query(statements.put, [items, new Date(clock.now())]);
    await publishChanged(
      deps,
      messages.map(({ userId }) => userId),
    );
    return messages.map(() => null);
  }
  // A second call goes on while the first waits for the lock of an inbox that is being marked.
  const put = groupCommit<ProviderMessage, null>({ commit: putAll, maxItems: MAX_ITEMS, callsAtOnce: 2 });

  async function call(message: ProviderMessage, signal: AbortSignal): Promise<ProviderOutcome> {
    const late = Promise.withResolvers<ProviderOutcome>();
    const giveUp = (): void =>
      late.resolve(failed('PROVIDER_TIMEOUT', 'the inbox did not answer in time', { retryable: true }));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const written = put(message).then(
      (): ProviderOutcome => ({ kind: 'accepted' }),
      (error: unknown) => {
        logger.warn({ err: error, deliveryId: message.deliveryId }, 'an inbox could not be written');
        return isDataError(error)
          ? failed('REJECTED', describe(error))
          : failed('PROVIDER_DOWN', describe(error), { retryable: true });
      },
    );
    const outcome = await Promise.race([written, late.promise]);
    signal.removeEventListener('abort', giveUp);
    return outcome;
  }

  return createAdapter('in-app', logger, call, () => undefined);
}

function toItem({ deliveryId, userId, notificationType, content }: ProviderMessage) {
  const { title, body, actionUrl, imageUrl, group } = content;
  const item = { itemId: deliveryId, userId, notificationType, title, body, actionUrl, imageUrl };
  if (!group) return item;
  return { ...item, itemId: group.id, deliveryId, revision: group.revision, actorCount: group.count };
}
