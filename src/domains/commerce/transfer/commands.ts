import type { Caller } from '../../../platform/caller.js';
import type { Result } from '../../../platform/errors.js';
import type { Accepted, CommandDeps } from '../command.js';
import type { TransferMoneyInput } from './transfer.js';

export async function transferMoney(
  _deps: CommandDeps,
  _caller: Caller,
  _input: TransferMoneyInput,
): Promise<Result<Accepted>> {
  throw new Error('not written yet');
}
