import type { Clock } from '../../platform/clock.js';
import { PublicError } from '../../platform/errors.js';
import type { WakeUpHub } from '../../platform/wake-ups/wake-ups.js';
import type { VersionWait, VersionWaits } from './version-waits.js';

const TIMEOUT_MS = 5_000;
/** A version that nothing reaches. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** What a reader waits for, and what ends the wait. */
export interface Wait {
  readonly afterVersion: number;
  readonly hub: Pick<WakeUpHub, 'listen'>;
  readonly clock: Clock;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/** What a reader waits for who has a position of the log instead of a version. */
export interface PositionWait extends Omit<Wait, 'afterVersion'> {
  readonly afterPosition: number;
}

/**
 * Waits until a projector has followed the log to a position, 5000 ms at most.
 *
 * @param of what is read, whose changes the wait is woken by, and who waits
 * @throws PublicError what `VersionWaits.reached` throws
 */
export function untilPosition(
  waits: VersionWaits,
  { topic, userId }: Pick<VersionWait, 'topic' | 'userId'>,
  projector: string,
  { afterPosition, hub, clock, signal }: PositionWait,
): Promise<void> {
  const deadline = clock.now() + TIMEOUT_MS;
  const of = { kind: 'projector', id: projector, version: afterPosition, topic, userId } as const;
  return waits.reached({ ...of, hub, clock, deadline, signal });
}

/**
 * Reads once the read model has reached a version; waits for it 5000 ms at most.
 *
 * @param of whose version counts, and who waits
 * @param read answers null while there is nothing, and for ever where it is not the reader's; what it throws ends the wait
 * @throws PublicError BAD_USER_INPUT for a version below zero; what `VersionWaits.reached` throws
 */
export async function readAfterVersion<Model extends { readonly version: number }>(
  waits: VersionWaits,
  of: Pick<VersionWait, 'kind' | 'id' | 'topic' | 'userId'>,
  read: () => Promise<Model | null>,
  { afterVersion, hub, clock, signal }: Wait,
): Promise<Model> {
  if (afterVersion < 0) throw new PublicError('BAD_USER_INPUT', 'afterVersion must not be below zero');
  const deadline = clock.now() + TIMEOUT_MS;
  let isThere = false;
  for (;;) {
    const model = await read();
    if (model && model.version >= afterVersion) return model;
    // Only once it is there does `read` know whether it is this reader's. Others wait as for something that is not there.
    const version = model ? afterVersion : isThere ? NEVER : 0;
    await waits.reached({ ...of, version, hub, clock, deadline, signal });
    isThere = true;
  }
}
