import { type Role, signToken } from '../platform/auth/auth.js';

/** Whom `npm start` hands out tokens of, the least powerful first: one user for each role. */
export const demoUsers: readonly { userId: string; roles: readonly Role[]; plan: string }[] = [
  { userId: 'alice', roles: ['user'], plan: 'pro' },
  { userId: 'shop', roles: ['user', 'producer'], plan: 'pro' },
  { userId: 'root', roles: ['user', 'producer', 'admin'], plan: 'enterprise' },
];

export interface DemoToken {
  readonly userId: string;
  /** The most powerful one that the user has. */
  readonly role: Role;
  readonly token: string;
}

const weekInSeconds = 7 * 24 * 3600;

/** Signs a token for each of them, good for a week. */
export const signDemoTokens = (secret: string): Promise<readonly DemoToken[]> =>
  Promise.all(
    demoUsers.map(async (user) => ({
      userId: user.userId,
      role: user.roles.at(-1)!,
      token: await signToken(secret, { ...user, expiresInSeconds: weekInSeconds }),
    })),
  );
