import { describe, expect, it } from 'vitest';
import type { App } from '../../src/context.js';
import type { Limits } from '../../src/domains/limits/index.js';
import type { EdgeRequest } from '../../src/edge/index.js';
import { OperationContext } from '../../src/operation-context.js';
import type { WakeUpHub } from '../../src/platform/wake-ups/wake-ups.js';
import type { Loaders } from '../../src/resolvers/loaders.js';

/** Only the decision of the request is looked at. */
function contextAfter(outcome: 'ALLOW' | 'DEGRADE' | null): OperationContext {
  const request = { decision: outcome && { outcome } } as EdgeRequest;
  const nothing: unknown = {};
  return new OperationContext(
    request,
    nothing as App,
    nothing as WakeUpHub,
    nothing as Limits,
    nothing as Loaders,
  );
}

describe('what a resolver sees of the soft limits', () => {
  it('it is degraded where its caller is above a soft limit', () => {
    expect(contextAfter('DEGRADE').degraded).toBe(true);
  });

  it.each(['ALLOW', null] as const)('it is not where the decision is %s', (outcome) => {
    expect(contextAfter(outcome).degraded).toBe(false);
  });

  it('a decision after the context was made counts as well', () => {
    const request: { decision: { outcome: string } | null } = { decision: null };
    const context = Object.create(OperationContext.prototype, {
      request: { value: request },
    }) as OperationContext;
    expect(context.degraded).toBe(false);
    request.decision = { outcome: 'DEGRADE' };
    expect(context.degraded).toBe(true);
  });
});
