import { z } from 'zod';
import { withinMs } from '../../platform/deadline.js';
import type { Logger } from '../../platform/logger.js';
import type { WakeUpHub, WakeUpPublisher } from '../../platform/wake-ups.js';

/** Tells every process's caches that what they keep has changed. Call it once the change is committed. */
export interface Freshness {
  /** A user's settings, preferences or devices. Resolves soon, and never rejects: the change stands all the same. */
  userChanged(userId: string): Promise<void>;
  /** A template of this type was saved, activated or deactivated. Resolves soon, and never rejects. */
  templatesChanged(notificationType: string): Promise<void>;
}

/** A cache of what Postgres holds. What it is told to forget it also forgets of loads that are on their way. */
export interface Forgetful {
  forgetUser?(userId: string): void;
  forgetType?(notificationType: string): void;
  forgetAll(): void;
}

/** The freshness of one process's caches. */
export interface KeptFresh extends Freshness {
  /** From now on this cache is told what changed, here or elsewhere. */
  keep(cache: Forgetful): void;
  /** Hears what other processes changed, until `signal` aborts or the hub closes. */
  follow(hub: Pick<WakeUpHub, 'listen'>, signal?: AbortSignal): Promise<void>;
}

const TOPIC = 'notification-caches';
/** How long a change may wait for Redis. */
const PUBLISH_WITHIN_MS = 1_000;

const change = z.union([z.object({ userId: z.string() }), z.object({ notificationType: z.string() })]);
type Change = z.infer<typeof change>;

/** Where Redis fails, other processes go on with what they keep until it is too old. */
export function createFreshness(deps: {
  readonly wakeUps: WakeUpPublisher;
  readonly logger: Logger;
}): KeptFresh {
  const caches: Forgetful[] = [];

  function forget(changed: Change): void {
    for (const cache of caches) {
      if ('userId' in changed) cache.forgetUser?.(changed.userId);
      else cache.forgetType?.(changed.notificationType);
    }
  }

  async function tell(payload: Change): Promise<void> {
    forget(payload);
    const publishing = deps.wakeUps.publish([{ topics: [TOPIC], payload }]);
    await withinMs(PUBLISH_WITHIN_MS, publishing).catch((error: unknown) =>
      deps.logger.warn({ err: error, ...payload }, 'other processes were not told of a change'),
    );
  }

  return {
    userChanged: (userId) => tell({ userId }),
    templatesChanged: (notificationType) => tell({ notificationType }),
    keep: (cache) => void caches.push(cache),
    async follow(hub, signal) {
      const listener = hub.listen(TOPIC);
      const close = (): void => listener.close();
      signal?.addEventListener('abort', close, { once: true });
      if (signal?.aborted) close();
      for (let heard = await listener.next(); heard !== null; heard = await listener.next()) {
        const parsed = heard.kind === 'woken' ? change.safeParse(heard.payload) : undefined;
        if (parsed?.success) forget(parsed.data);
        else for (const cache of caches) cache.forgetAll();
      }
      signal?.removeEventListener('abort', close);
    },
  };
}
