import { graphql } from 'graphql';
import { vi } from 'vitest';
import type { Limits } from '../../src/domains/limits/index.js';
import type { Role } from '../../src/platform/auth/auth.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import type { RateLimitDecision, Tier, TierReading } from '../../src/platform/gate.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { aTier } from './hand-made-decision.js';

export const at = new Date('2026-03-01T12:00:00.000Z');

const person = (userId: string, ...roles: Role[]): Caller => ({
  viewer: { userId, roles: new Set(['user', ...roles]), plan: 'free' },
  correlationId: `correlation of ${userId}`,
});
export const admin = person('ada', 'admin');
export const alice = person('alice');

/** Of a rule of users that admits 200 a minute, of which 3 are used, but for what is given. */
export const reading = (
  changes: Partial<Tier> = {},
  stands: Partial<Omit<TierReading, 'tier'>> = {},
): TierReading => ({
  tier: aTier({ limit: 200, ...changes }),
  used: 3,
  remaining: 197,
  resetAt: at.getTime(),
  ...stands,
});

const unexpected = () => {
  throw new Error('nobody should have asked this');
};

/** Limits of which a test says how each part answers; all else must not be asked. */
export const fakeLimits = () => ({
  limiter: {
    decideLocally: vi.fn<Limits['limiter']['decideLocally']>(unexpected),
    decide: vi.fn<Limits['limiter']['decide']>(unexpected),
    preview: vi.fn<Limits['limiter']['preview']>(unexpected),
    refund: vi.fn<Limits['limiter']['refund']>(unexpected),
    settle: vi.fn<Limits['limiter']['settle']>(unexpected),
  },
  rules: {
    current: vi.fn<Limits['rules']['current']>(unexpected),
    ruleSet: vi.fn<Limits['rules']['ruleSet']>(unexpected),
    check: vi.fn<Limits['rules']['check']>(unexpected),
    put: vi.fn<Limits['rules']['put']>(unexpected),
    reload: vi.fn<Limits['rules']['reload']>(unexpected),
    lookAgain: vi.fn<Limits['rules']['lookAgain']>(unexpected),
    history: vi.fn<Limits['rules']['history']>(unexpected),
    close: vi.fn<Limits['rules']['close']>(unexpected),
  },
  fields: { consume: vi.fn<Limits['fields']['consume']>(unexpected) },
  nearLimits: {
    note: vi.fn<Limits['nearLimits']['note']>(unexpected),
    top: vi.fn<Limits['nearLimits']['top']>(unexpected),
    close: vi.fn<Limits['nearLimits']['close']>(unexpected),
  },
  rehearse: vi.fn<Limits['rehearse']>(unexpected),
  close: vi.fn<Limits['close']>(unexpected),
});

const schema = await buildApiSchema();

export interface Answered {
  readonly data: Record<string, unknown> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly code: unknown;
    readonly argument: unknown;
  }[];
}

/** Asks the whole API as `by`; null is an anonymous caller. */
export async function ask(
  limits: Limits,
  by: Caller | null,
  source: string,
  {
    variables,
    ...operation
  }: { variables?: Record<string, unknown>; decision?: RateLimitDecision | null; queryCost?: number } = {},
): Promise<Answered> {
  const viewer = by?.viewer ?? null;
  const contextValue = {
    limits,
    viewer,
    correlationId: by?.correlationId ?? 'nobody',
    ip: '192.0.2.1',
    decision: null,
    queryCost: 0,
    ...operation,
  };
  const { data, errors } = await graphql({ schema, source, variableValues: variables ?? {}, contextValue });
  const shown = errors?.map(({ message, originalError }) => ({
    message,
    code: originalError && 'code' in originalError ? originalError.code : 'INTERNAL_ERROR',
    argument: originalError && 'argument' in originalError ? originalError.argument : undefined,
  }));
  return { data: JSON.parse(JSON.stringify(data ?? null)), ...(shown && { errors: shown }) };
}
