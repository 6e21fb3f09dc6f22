import { v7 } from 'uuid';
import type { Clock } from './clock.js';

/** The source of new identifiers. Tests hold it; production makes UUIDv7s, which sort by time of making. */
export interface Ids {
  /** A new UUIDv7 in canonical lower-case text. */
  next(): string;
}

/** UUIDv7s whose timestamp part follows `clock`. */
export function uuidV7Ids(clock: Clock): Ids {
  return { next: () => v7({ msecs: clock.now() }) };
}
