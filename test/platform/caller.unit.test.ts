import { describe, expect, test } from 'vitest';
import { scopedCommandId } from '../../src/platform/auth/caller.js';

const callerNamed = (userId: string) => ({
  viewer: { userId, roles: new Set(['user' as const]), plan: 'free' },
  correlationId: 'story',
});

describe('a client’s command id', () => {
  test('never meets that of another user or operation, whatever is in it', () => {
    const scoped = [
      scopedCommandId(callerNamed('eve'), 'deposit', 'deposit/x'),
      scopedCommandId(callerNamed('eve/deposit'), 'deposit', 'x'),
      scopedCommandId(callerNamed('eve'), 'withdraw', 'deposit/x'),
      scopedCommandId(callerNamed('eve","deposit'), 'deposit', 'x'),
    ];
    expect(new Set(scoped).size).toBe(scoped.length);
  });

  test('is the same again for the same caller, and always fits the log', () => {
    const long = scopedCommandId(callerNamed('"'.repeat(64)), 'publishPost', '\\'.repeat(128));
    expect(long.length).toBeLessThanOrEqual(255);
    expect(scopedCommandId(callerNamed('"'.repeat(64)), 'publishPost', '\\'.repeat(128))).toBe(long);
    expect(scopedCommandId(callerNamed('"'.repeat(64)), 'publishPost', '\\'.repeat(127))).not.toBe(long);
  });
});
