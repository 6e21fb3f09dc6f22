import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock } from './clock.js';

/** The source of new identifiers. Tests hold it; production makes UUIDv7s, which sort by time of making. */
export interface Ids {
  /** A new UUIDv7 in canonical lower-case text. */
  next(): string;
}

/**
 * UUIDv7s whose timestamp part follows `clock`. Those of one millisecond also sort by time of making, unless the clock went back
 * in between: they count up from a random number (RFC 9562, section 6.2).
 */
export function uuidV7Ids(clock: Clock): Ids {
  const random = randomInBulk();
  let last = Number.NaN;
  let seq = 0;
  return {
    next() {
      const msecs = clock.now();
      const bytes = random();
      seq = msecs === last ? seq + 1 : firstOfMillisecond(bytes);
      last = msecs;
      return v7({ msecs, seq, random: bytes });
    },
  };
}

/** Of 32 bits the highest is left free, so that counting up does not overflow. */
const firstOfMillisecond = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) >>> 1;

const BYTES_AN_ID = 16;
const IDS_A_FILL = 256;

/** Every request takes an id, and asking the kernel for each one's bytes would be most of its cost. */
function randomInBulk(): () => Uint8Array {
  const bytes = new Uint8Array(BYTES_AN_ID * IDS_A_FILL);
  let used = bytes.length;
  return () => {
    if (used === bytes.length) {
      randomFillSync(bytes);
      used = 0;
    }
    used += BYTES_AN_ID;
    return bytes.subarray(used - BYTES_AN_ID, used);
  };
}
