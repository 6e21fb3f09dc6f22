import DataLoader from 'dataloader';
import { readEach } from '../../../platform/redis/many-keys.js';
import { KEY_PREFIX } from '../../../platform/redis/redis.js';
import { forEverybody } from '../../../platform/wake-ups/reader.js';
import type { RedisDeps } from '../cache/deps.js';
import { PULLED_VERSION, type PulledAuthors } from './pulled-authors.js';

const LIFE_SECONDS = 7 * 86_400;
/** Viewers in one command: a new post is looked up for thousands in one instant, and blobs may be large. */
const ASKED_AT_ONCE = 100;

/** What Redis has of a viewer. */
export interface ViewerState {
  readonly epoch: string;
  readonly generation: string;
  /** The value of `PULLED_VERSION`. */
  readonly pulled: string;
  /** `undefined` where it was not asked for. */
  readonly blob: string | null | undefined;
}

interface Asked {
  readonly userId: string;
  readonly withBlob: boolean;
}

/** Each viewer's generation in Redis: a random id that changes with their relations. */
export function createGenerations(deps: RedisDeps & { readonly pulledAuthors: PulledAuthors }) {
  const { redis, lease, ids, pulledAuthors } = deps;
  // Without a cache: each answer is read after its question.
  const questions = new DataLoader<Asked, ViewerState | null>(
    async (asked) =>
      (await forEverybody(() => lease.read((epoch) => ask(asked, epoch)))) ?? asked.map(() => null),
    { cache: false, maxBatchSize: ASKED_AT_ONCE },
  );

  async function ask(asked: readonly Asked[], epoch: string): Promise<(ViewerState | null)[]> {
    const keys = asked.flatMap(({ userId, withBlob }) => {
      const { generation, blob } = keysOf(userId);
      return withBlob ? [generation, blob] : [generation];
    });
    const [version, ...answers] = await readEach(redis, [PULLED_VERSION, ...keys]);
    let next = 0;
    const found = asked.map(({ userId, withBlob }) => ({
      userId,
      generation: answers[next++] ?? null,
      blob: withBlob ? (answers[next++] ?? null) : undefined,
    }));
    const missing = found.filter(({ generation }) => generation === null).map(({ userId }) => userId);
    const begun = missing.length === 0 ? undefined : await begin(missing);
    const pulled = version ?? (await pulledAuthors.announce(await pulledAuthors.count()));
    return found.map(({ userId, generation, blob }) => {
      const at = generation ?? begun?.get(userId);
      return at == null ? null : { epoch, generation: `${epoch}/${at}`, pulled, blob };
    });
  }

  /** First generations; another process's where it was faster. */
  async function begin(userIds: readonly string[]): Promise<Map<string, string | null>> {
    const keys = userIds.map((userId) => keysOf(userId).generation);
    const begun = keys.map((key) => redis.set(key, ids.next(), 'EX', LIFE_SECONDS, 'NX'));
    const [generations] = await Promise.all([readEach(redis, keys), ...begun]);
    // A key of another type reads as null and is not overwritten: asking for its length has it removed.
    for (const [index, userId] of userIds.entries())
      if (generations[index] === null) void redis.strlen(keysOf(userId).generation).catch(() => undefined);
    return new Map(userIds.map((userId, index) => [userId, generations[index] ?? null]));
  }

  return {
    /** What Redis has of a viewer: `null` without a lease. All questions of one tick share a round trip. */
    ask: (userId: string, withBlob: boolean): Promise<ViewerState | null> =>
      questions.load({ userId, withBlob }),

    /** Gives these users new generations. See `CacheLease.invalidate`. */
    async renew(userIds: readonly string[]): Promise<void> {
      if (userIds.length === 0) return;
      // A generation that is deleted begins again with another id.
      const keys = userIds.map((userId) => keysOf(userId).generation);
      await lease.invalidate(keys, () =>
        Promise.all(keys.map((key) => redis.set(key, ids.next(), 'EX', LIFE_SECONDS))),
      );
    },
  };
}

/** Where Redis has a viewer's generation, and their relations of one of them. */
export function keysOf(userId: string): { generation: string; blob: string } {
  const prefix = `${KEY_PREFIX}:{relations:${userId}}`;
  return { generation: `${prefix}:generation`, blob: `${prefix}:edges` };
}
