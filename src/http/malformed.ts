import type { z } from 'zod';
import type { UserError } from '../platform/errors.js';

/** What is wrong with a body or a query string that does not have the right shape. */
export function malformed({ issues }: z.ZodError): UserError {
  const [issue] = issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return {
    code: 'BAD_USER_INPUT',
    message: issue?.message ?? 'Invalid input',
    path: [...(issue?.path ?? []), ...unknown].map(String),
  };
}
