import { expect, inject } from 'vitest';
import { demoUsers } from '../../../src/demo/demo-users.js';
import { signToken } from '../../../src/platform/auth/auth.js';
import { testAuthSecret } from '../../support/processes.js';

/** Asks the server that all tests of pages share, as one of the demo's people; what it refuses fails the test. */
export async function call(
  userId: 'alice' | 'shop' | 'root',
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  const user = demoUsers.find((one) => one.userId === userId)!;
  const token = await signToken(testAuthSecret, { ...user, expiresInSeconds: 3_600 });
  const answer = await fetch(`${inject('everything').url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Record<string, unknown>; errors?: unknown };
  expect(errors).toBeUndefined();
  const [payload] = Object.values(data) as ({ userErrors?: unknown[] } | null)[];
  expect(payload?.userErrors ?? []).toEqual([]);
  return data;
}
