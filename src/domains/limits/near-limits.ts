import { type Clock, systemClock } from '../../platform/clock.js';
import { KEY_PREFIX, loadScript, type Redis, runScript } from '../../platform/redis/redis.js';
import { parseRedisValue } from '../../platform/redis/redis-value.js';
import { createSketch, MOST_OWNERS, replaces, type Sighting, sightingSchema } from './near-limits-sketch.js';

/** A caller who uses most of what a tier allows. */
export interface NearLimit {
  /** `u:alice`, `n:192.0.2.0` */
  readonly owner: string;
  readonly rule: string;
  /** 0 to 1. */
  readonly utilisation: number;
  readonly seenAt: Date;
  /** As the caller was then; undefined where that is not known. */
  readonly plan?: string | null | undefined;
  readonly apiKeyId?: string | null | undefined;
}

export type NearLimits = ReturnType<typeof createNearLimits>;

const FLUSH_MS = 5_000;
/** One slot for both. */
const KEYS = [`${KEY_PREFIX}:{near-limits}:utilisation`, `${KEY_PREFIX}:{near-limits}:entries`] as const;
const gather = loadScript(new URL('./near-limits-gather.lua', import.meta.url));

/**
 * The callers nearest to their limits, of all processes, in bounded memory. Sightings stay in this process until they are
 * gathered in Redis, every 5 s; other processes see them from then on. While Redis is away they wait, and the lowest leave
 * when there are too many.
 *
 * @param redis where processes gather what they saw
 */
export function createNearLimits(redis: Redis, options: { flushMs?: number; clock?: Clock } = {}) {
  const { clock = systemClock } = options;
  const sketch = createSketch(clock);
  let underWay: readonly Sighting[] = [];
  const timer = setInterval(() => void flush(), options.flushMs ?? FLUSH_MS).unref();

  return {
    /** Keeps a caller above 80 % of a limit of their own, see `isOwnLimit`; nearly free for all others. */
    note: sketch.note,

    /** Highest utilisation first. @throws while Redis is away */
    async top(count: number): Promise<readonly NearLimit[]> {
      // Taken first: what a flush moves meanwhile would be seen nowhere.
      const own = [...underWay, ...sketch.current()];
      const gathered = (await redis.hvals(KEYS[1])).flatMap(
        (text) => parseRedisValue('near_limits', sightingSchema, text) ?? [],
      );
      const byOwner = new Map<string, Sighting>();
      for (const sighting of [...gathered, ...own]) {
        const old = byOwner.get(sighting.owner);
        if (sighting.expiresAt > clock.now() && (!old || replaces(sighting, old)))
          byOwner.set(sighting.owner, sighting);
      }
      return [...byOwner.values()]
        .sort((a, b) => b.utilisation - a.utilisation)
        .slice(0, count)
        .map(({ expiresAt: _, seenAt, ...shown }) => ({ ...shown, seenAt: new Date(seenAt) }));
    },

    close: () => clearInterval(timer),
  };

  /** One at a time: while Redis is away, nothing piles up behind it. */
  async function flush(): Promise<void> {
    if (underWay.length > 0) return;
    underWay = sketch.take();
    if (underWay.length === 0) return;
    try {
      await runScript(redis, gather, KEYS, [clock.now(), MOST_OWNERS, ...underWay.flatMap(asArguments)]);
    } catch {
      sketch.giveBack(underWay); // a lost connection is logged where it is opened
    } finally {
      underWay = [];
    }
  }
}

const asArguments = (sighting: Sighting) => [sighting.owner, sighting.utilisation, JSON.stringify(sighting)];
