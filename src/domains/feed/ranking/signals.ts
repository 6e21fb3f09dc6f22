import { z } from 'zod';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { removeEach } from '../../../platform/redis/many-keys.js';
import { KEY_PREFIX, type Redis } from '../../../platform/redis/redis.js';
import { hasAtMost } from '../../../platform/text.js';
import { MAX_USER_ID } from '../types.js';
import { type Interaction, noteInteractions, type SignalKind } from './interactions.js';
import type { RankingSettings } from './settings.js';

/** What a reader's client reports. Posts are seen, opened and hidden; people are visited, written to and tagged. */
export interface SignalInput {
  readonly kind: SignalKind;
  readonly postId?: string | null;
  readonly userId?: string | null;
}

interface Deps {
  readonly postgres: Queryable;
  readonly redis: Redis;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly affinity: RankingSettings['affinity'];
}

const MAX_SIGNALS = 100;
/** Repeats within it count once. */
const REPEAT_MS = 60_000;
const ABOUT_POSTS: ReadonlySet<SignalKind> = new Set(['IMPRESSION', 'CLICK', 'HIDE']);

/**
 * Records what a viewer did: ranking learns from it, and it changes the viewer's affinity to authors. All or none are
 * accepted; signals about the viewer, about what is unknown or what they may not see are accepted and not counted, and so
 * are repeats within a minute.
 *
 * Refused with TOO_MANY_SIGNALS (over 100) or SIGNAL_INVALID (the kind needs another id, or an id of that form).
 *
 * @returns how many counted
 */
export async function recordSignals(
  deps: Deps,
  viewerId: string,
  signals: readonly SignalInput[],
): Promise<Result<number>> {
  const path = ['input', 'signals'];
  if (signals.length > MAX_SIGNALS) {
    return refused('TOO_MANY_SIGNALS', `At most ${MAX_SIGNALS} signals at once`, path);
  }
  const faults = signals.flatMap((signal, index) => faultOf(signal, [...path, String(index)]) ?? []);
  if (faults.length > 0) return refusedAll(faults);
  const at = new Date(deps.clock.now());
  const claims = signals.map((signal) => {
    const interaction = interactionOf(viewerId, signal, at);
    return { interaction, key: keyOf(interaction) };
  });
  const first = await claim(deps, claims);
  try {
    const interactions = first.map(({ interaction }) => interaction);
    return ok(await noteInteractions(deps, interactions, { visibleOnly: true }));
  } catch (error) {
    // A retry of the same signals is to count.
    const keys = first.map(({ key }) => key);
    if (keys.length > 0) await removeEach(deps.redis, keys).catch(() => undefined);
    throw error;
  }
}

function faultOf({ kind, postId, userId }: SignalInput, path: readonly string[]): UserError | null {
  const fault = (message: string): UserError => ({ code: 'SIGNAL_INVALID', message, path });
  if (ABOUT_POSTS.has(kind)) {
    return z.uuid().safeParse(postId).success ? null : fault(`${kind} needs the postId of a post`);
  }
  const isId = typeof userId === 'string' && userId.length > 0 && hasAtMost(userId, MAX_USER_ID);
  return isId && !userId.includes('\0') ? null : fault(`${kind} needs the userId of a user`);
}

const interactionOf = (readerId: string, { kind, postId, userId }: SignalInput, at: Date): Interaction =>
  ABOUT_POSTS.has(kind)
    ? { readerId, kind, postId: postId!.toLowerCase(), personId: null, at }
    : { readerId, kind, postId: null, personId: userId!, at };

interface Claim {
  readonly interaction: Interaction;
  readonly key: string;
}

const keyOf = ({ readerId, kind, postId, personId }: Interaction): string =>
  `${KEY_PREFIX}:feed:signal:${JSON.stringify([readerId, kind, postId ?? personId])}`;

/** Those that were not reported within the last minute; where Redis is away, each once. */
async function claim({ redis, logger }: Deps, claims: readonly Claim[]): Promise<readonly Claim[]> {
  try {
    const asked = claims.map(({ key }) => redis.set(key, 1, 'PX', REPEAT_MS, 'NX'));
    const answers = await Promise.all(asked);
    return claims.filter((_, index) => answers[index] === 'OK');
  } catch (error) {
    logger.warn({ err: error }, 'signals are counted without looking for repeats');
    return [...new Map(claims.map((one) => [one.key, one])).values()];
  }
}
