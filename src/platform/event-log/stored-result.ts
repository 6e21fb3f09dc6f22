import { createHash } from 'node:crypto';
import type { AppendResult, JsonObject } from './types.js';

/** What `append_commands` and the table `commands` keep of a command's body: equal bodies have equal hashes. */
export const hashBody = (body: object): Buffer => createHash('sha256').update(JSON.stringify(body)).digest();

/** An accepted command's result as it is stored in `commands`. */
export function readStoredResult(
  result: JsonObject,
  repeated: boolean,
): Extract<AppendResult, { kind: 'accepted' }> {
  return {
    kind: 'accepted',
    position: result.position as number,
    versions: result.versions as Record<string, number>,
    value: result.value as JsonObject,
    repeated,
  };
}
