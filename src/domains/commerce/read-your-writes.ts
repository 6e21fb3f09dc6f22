import type { Clock } from '../../platform/clock.js';
import { PublicError } from '../../platform/errors.js';
import type { WakeUpHub } from '../../platform/wake-ups.js';
import type { VersionWait, VersionWaits } from './version-waits.js';

const TIMEOUT_MS = 5_000;

/** What a reader waits for, and what ends the wait. */
export interface Wait {
  readonly afterVersion: number;
  readonly hub: Pick<WakeUpHub, 'listen'>;
  readonly clock: Clock;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/**
 * Reads once the read model has reached a version; waits for it 5000 ms at most.
 *
 * @param of whose version counts, and who waits
 * @param read answers null while there is nothing; what it throws ends the wait, also where that is FORBIDDEN for
 *   something that came to be meanwhile
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
  for (;;) {
    const model = await read();
    if (model && model.version >= afterVersion) return model;
    // Only once it is there can `read` tell whether this reader may know how far it is.
    const version = model ? afterVersion : 0;
    await waits.reached({ ...of, version, hub, clock, deadline, signal });
  }
}
