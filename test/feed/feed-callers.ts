import type { Viewer } from '../../src/platform/auth/auth.js';
import type { Caller } from '../../src/platform/auth/caller.js';

export const viewerOf = (userId: string): Viewer => ({ userId, roles: new Set(['user']), plan: 'free' });
export const callerOf = (userId: string): Caller => ({
  viewer: viewerOf(userId),
  correlationId: `test-${userId}`,
});
