import { expect, it } from 'vitest';
import { setVerified } from '../../src/domains/feed/graph/verified.js';

const row = {
  user_id: 'ann',
  display_name: 'Ann',
  avatar_url: null,
  is_verified: true,
  is_celebrity: false,
  follower_count: 0,
  following_count: 0,
};

it('setVerified is not acknowledged while other processes may show something else', async () => {
  const postgres = { query: async () => ({ rows: [row] }) };
  const authors = { forget: () => Promise.reject(new Error('neither Redis nor Postgres took it')) };
  const deps = { postgres, authors } as unknown as Parameters<typeof setVerified>[0];
  await expect(setVerified(deps, { userId: 'ann', verified: true })).rejects.toThrow('neither');
});
