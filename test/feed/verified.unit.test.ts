import { expect, it } from 'vitest';
import { setVerified } from '../../src/domains/feed/graph/users.js';

const row = {
  userId: 'ann',
  displayName: 'Ann',
  avatarUrl: null,
  isVerified: true,
  isCelebrity: false,
  followerCount: 0,
  followingCount: 0,
};

it('setVerified is not acknowledged while other processes may show something else', async () => {
  const postgres = { query: async () => ({ rows: [row] }) };
  const authors = { forget: () => Promise.reject(new Error('neither Redis nor Postgres took it')) };
  const deps = { postgres, authors } as unknown as Parameters<typeof setVerified>[0];
  await expect(setVerified(deps, { userId: 'ann', verified: true })).rejects.toThrow('neither');
});
