import { KEY_PREFIX, type Redis } from '../platform/redis/redis.js';
import type { OutgoingTarget } from './outgoing-target.js';

/** The Redis Stream that other systems read. */
export const OUTGOING_STREAM = `${KEY_PREFIX}:events`;
/** The one field of each entry: a CloudEvent in JSON. */
export const EVENT_FIELD = 'event';

const ENTRY_ID = /^(\d{1,15})-0$/;

/**
 * The Redis Stream. The position in the log is the entry's id (`<position>-0`), so that a repeat is no second entry, and a
 * reader knows what it has missed.
 *
 * @param length how many events it keeps at least; Redis trims it by whole nodes of some hundred
 */
export const redisTarget = (
  redis: Pick<Redis, 'xrevrange' | 'multi' | 'del'>,
  length: number,
): OutgoingTarget => ({
  async newest() {
    const [entry] = await redis.xrevrange(OUTGOING_STREAM, '+', '-', 'COUNT', 1);
    if (!entry) return null;
    const [id, [, text = '']] = entry;
    return { position: Number(ENTRY_ID.exec(id)?.[1] ?? 0), text };
  },
  async add(entries) {
    // All at once: were one refused in between, for want of memory say, what comes behind it would take its place for good.
    const batch = redis.multi();
    for (const { position, text } of entries)
      batch.xadd(OUTGOING_STREAM, 'MAXLEN', '~', length, `${position}-0`, EVENT_FIELD, text);
    for (const [error] of (await batch.exec()) ?? []) if (error) throw error;
  },
  async clear() {
    await redis.del(OUTGOING_STREAM);
  },
});
