import { z } from 'zod';
import type { CacheLease } from '../../platform/cache/cache-lease.js';
import type { MissedWrites } from '../../platform/cache/missed-writes.js';
import { listenUntil } from '../../platform/wake-ups/listen-until.js';
import type { WakeUpHub, WakeUpPublisher } from '../../platform/wake-ups/wake-ups.js';

/**
 * Reports to every process's caches that what they keep has changed. Call it once the change is committed. It rejects where neither
 * Redis nor Postgres took that: the change stands, and must not be acknowledged, since others may use what they keep.
 */
export interface Freshness {
  /** A user's settings, preferences or devices. */
  userChanged(userId: string): Promise<void>;
  /** A template of this type was saved, activated or deactivated. */
  templatesChanged(notificationType: string): Promise<void>;
}

/** A cache of what Postgres holds. What it drops it also drops of loads that are on their way. */
export interface Forgetful {
  forgetUser?(userId: string): void;
  forgetType?(notificationType: string): void;
  forgetAll(): void;
}

/** The freshness of one process's caches. */
export interface KeptFresh extends Freshness {
  /** From now on this cache drops what changed, here or elsewhere. */
  keep(cache: Forgetful): void;
  /**
   * Whether a read that begins now may be answered from memory. Changes are missed without a lease on Redis, and where the
   * hub has read nothing for 2 s: a change elsewhere is used here some milliseconds later, and 2 s later at most.
   */
  mayAnswer(): boolean;
  /** Drops what other processes changed, until `signal` aborts or the hub closes. */
  follow(hub: FollowedHub, signal?: AbortSignal): Promise<void>;
}

/** One that cannot say whether it is connected counts as connected. */
export type FollowedHub = Pick<WakeUpHub, 'listen'> & Partial<Pick<WakeUpHub, 'isHearing'>>;

const TOPIC = 'notification-caches';
const change = z.union([z.object({ userId: z.string() }), z.object({ notificationType: z.string() })]);
type Change = z.infer<typeof change>;

/** Where Redis fails, other processes have read of the change in Postgres, or lost their lease, before it is acknowledged. */
export function createFreshness(deps: {
  readonly wakeUps: WakeUpPublisher;
  readonly lease: Pick<CacheLease, 'isHeld' | 'invalidate'>;
  readonly missedWrites: Pick<MissedWrites, 'onTopics'>;
}): KeptFresh {
  const caches: Forgetful[] = [];
  let isHearing = (): boolean => true;
  deps.missedWrites.onTopics((topics) => {
    if (topics === 'all' || topics.includes(TOPIC)) for (const cache of caches) cache.forgetAll();
  });

  function forget(changed: Change): void {
    for (const cache of caches) {
      if ('userId' in changed) cache.forgetUser?.(changed.userId);
      else cache.forgetType?.(changed.notificationType);
    }
  }

  async function report(payload: Change): Promise<void> {
    forget(payload);
    const publish = (): Promise<void> => deps.wakeUps.publish([{ topics: [TOPIC], payload }]);
    await deps.lease.invalidate([], publish, [TOPIC]);
  }

  return {
    userChanged: (userId) => report({ userId }),
    templatesChanged: (notificationType) => report({ notificationType }),
    keep: (cache) => void caches.push(cache),
    mayAnswer: () => deps.lease.isHeld() && isHearing(),
    async follow(hub, signal) {
      // What is loaded before publishers know of this process may go stale unnoticed.
      isHearing = () => false;
      const listener = await listenUntil(hub, TOPIC, signal);
      for (const cache of caches) cache.forgetAll();
      isHearing = () => hub.isHearing?.() ?? true;
      for (let message = await listener.next(); message !== null; message = await listener.next()) {
        const parsed = message.kind === 'woken' ? change.safeParse(message.payload) : undefined;
        if (parsed?.success) forget(parsed.data);
        else for (const cache of caches) cache.forgetAll();
      }
      listener.close();
    },
  };
}
