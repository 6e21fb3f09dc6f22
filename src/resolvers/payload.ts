import type { Result, UserError } from '../platform/errors.js';

/** A payload of one object and its `userErrors`: the object is null where there are any. */
export function toPayload<Name extends string, T>(
  name: Name,
  result: Result<T>,
): { [Key in Name]: T | null } & { userErrors: readonly UserError[] } {
  const value = result.ok ? result.value : null;
  return { [name]: value, userErrors: result.ok ? [] : result.errors } as { [Key in Name]: T | null } & {
    userErrors: readonly UserError[];
  };
}
