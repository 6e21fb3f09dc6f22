import type { Caller } from '../../../platform/caller.js';
import type { ReadDeps } from '../read.js';
import type { Wait } from '../read-your-writes.js';
import type { Transfer } from './transfer.js';

export async function readTransfer(
  _deps: ReadDeps,
  _caller: Caller,
  _transferId: string,
  _wait?: Wait,
): Promise<Transfer | null> {
  throw new Error('not written yet');
}
