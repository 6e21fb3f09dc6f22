import type { Result, UserError } from '../platform/errors.js';

/** A payload of one object and its `userErrors`: the object is null where there are any. */
export function toPayload<Name extends string, T>(name: Name, result: Result<T>) {
  const payload = result.ok
    ? { [name]: result.value, userErrors: [] }
    : { [name]: null, userErrors: result.errors };
  return payload as Record<Name, T | null> & { readonly userErrors: readonly UserError[] };
}
