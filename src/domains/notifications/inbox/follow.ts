import { z } from 'zod';
import { withinMs } from '../../../platform/deadline.js';
import { PublicError } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { decodeCursor, encodeCursor } from '../../../platform/paging.js';
import { listenUntil } from '../../../platform/wake-ups/listen-until.js';
import type { WakeUpHub, WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import { findChanged, type HandingDeps, type InboxItem, inboxState, type Unread } from './item.js';

/** An item that came or was marked. */
export interface InboxUpdate extends Unread {
  /** Goes on after this update. */
  readonly cursor: string;
  /** As it is now. Null where many changed at once: the client reads its inbox anew. */
  readonly item: InboxItem | null;
}

/** More changes at once than this are reported as one. */
const MAX_REPORTED = 20;
/** How long a change may wait for Redis. */
const PUBLISH_WITHIN_MS = 2_000;

/** Woken whenever the user's inbox has changed. */
const topicOf = (userId: string): string => `inbox:${userId}`;

/** Goes on after a change of a user's inbox. */
export const changeCursor = (userId: string, change: number): string => encodeCursor(userId, change);

/**
 * Every change of a user's inbox after a cursor, or from now on, in order, until `signal` aborts. An item that changed
 * several times since is reported once, as it is.
 *
 * @throws PublicError BAD_CURSOR; another user's cursor is none
 */
export async function* followInbox(
  { postgres, handed }: HandingDeps,
  hub: Pick<WakeUpHub, 'listen'>,
  userId: string,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<InboxUpdate, void> {
  const asked = decodeCursor(after, z.tuple([z.literal(userId), z.int().nonnegative()]))?.[1];
  // Listening comes first, so that nothing is missed between reading and waiting.
  const listener = await listenUntil(hub, topicOf(userId), signal);
  try {
    const { change } = await inboxState(postgres, userId);
    let last = asked ?? change;
    if (last > change) throw new PublicError('BAD_CURSOR', 'This cursor is of no inbox');
    while (!signal.aborted) {
      const items = await findChanged(postgres, userId, last, MAX_REPORTED + 1);
      if (items.length > 0) {
        const state = await inboxState(postgres, userId);
        if (items.length > MAX_REPORTED) {
          // All changes up to this one were there to be read.
          last = state.change;
          yield { cursor: changeCursor(userId, last), item: null, ...state.unread };
          continue;
        }
        handed(items);
        for (const item of items) {
          last = item.change;
          yield { cursor: changeCursor(userId, last), item, ...state.unread };
        }
      }
      if ((await listener.next()) === null) return;
    }
  } finally {
    listener.close();
  }
}

/** Wakes the subscribers of the inboxes. Never rejects: the change is stored, and is seen with the next one. */
export async function publishChanged(
  deps: { readonly wakeUps: WakeUpPublisher; readonly logger: Logger },
  userIds: readonly string[],
): Promise<void> {
  const wakeUps = [...new Set(userIds)].map((userId) => ({ topics: [topicOf(userId)], payload: {} }));
  await withinMs(PUBLISH_WITHIN_MS, deps.wakeUps.publish(wakeUps)).catch((error: unknown) =>
    deps.logger.warn({ err: error, inboxes: wakeUps.length }, 'followers of inboxes were not woken'),
  );
}
