import { expect, inject } from 'vitest';
import { demoUsers } from '../../../src/demo/demo-users.js';
import { signToken } from '../../../src/platform/auth/auth.js';
import { testAuthSecret } from '../../support/processes.js';

/** A token of one of the demo's people, or of a user who has no role but that. */
export function tokenOf(userId: string, expiresInSeconds = 86_400): Promise<string> {
  const other: (typeof demoUsers)[number] = { userId, roles: ['user'], plan: 'pro' };
  const user = demoUsers.find((one) => one.userId === userId) ?? other;
  return signToken(testAuthSecret, { ...user, expiresInSeconds });
}

/** Asks the server that all tests of pages share, as somebody; what it refuses fails the test. */
export async function call<T = Readonly<Record<string, unknown>>>(
  userId: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const answer = await fetch(`${inject('everything').url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await tokenOf(userId)}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Record<string, unknown>; errors?: unknown };
  expect(errors).toBeUndefined();
  for (const payload of Object.values(data) as ({ userErrors?: unknown[] } | null)[])
    expect(payload?.userErrors ?? []).toEqual([]);
  return data as T;
}
