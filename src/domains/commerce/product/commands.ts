import type { Caller } from '../../../platform/caller.js';
import type { Result } from '../../../platform/errors.js';
import type { Accepted, CommandDeps } from '../command.js';
import type { SaveProductInput } from './product.js';

export async function saveProduct(
  _deps: CommandDeps,
  _caller: Caller,
  _input: SaveProductInput,
): Promise<Result<Accepted>> {
  throw new Error('not written yet');
}
