import { describe, expect, it } from 'vitest';
import {
  failedSignIn,
  RateLimitCheck,
  Rejected,
  rateLimitCaller,
  requestEndpoints,
} from '../../../src/edge/gate/rate-limit-check.js';
import {
  type Gate,
  OPERATION_ENDPOINT,
  type RateLimitDecision,
  type RateLimitRequest,
} from '../../../src/platform/gate.js';
import { decision, handMadeGate, reading, rejected } from '../hand-made-gate.js';

const caller = rateLimitCaller({ userId: 'ann', plan: 'pro', roles: new Set() }, '192.0.2.1');
const fields = new Map([['Query.feed', 2]]);
const never = new AbortController().signal;
const checkOf = (gate: Gate, credentials: 'valid' | 'wrong' = 'valid') =>
  new RateLimitCheck(gate, caller, requestEndpoints(OPERATION_ENDPOINT, credentials), () => never);

/** Decides by the part that is asked about. */
const byPart = (answers: Partial<Record<RateLimitRequest['part'], RateLimitDecision>>) =>
  handMadeGate(({ part }) => answers[part] ?? decision());

describe('the rate-limit check of a request', () => {
  it('charges the request once, however often it is called', async () => {
    const gate = handMadeGate();
    const rateLimit = checkOf(gate);
    await rateLimit.chargeRequest();
    await rateLimit.chargeRequest();
    expect(gate.decide).toHaveBeenCalledOnce();
    expect(gate.decide.mock.calls[0]![0]).toEqual({
      caller,
      endpoints: new Map([[OPERATION_ENDPOINT, 1]]),
      queryCost: null,
      part: 'request',
    });
  });

  it('keeps the request charged where its client leaves while its operation waits, since its document was read', async () => {
    const cancelled = decision({ outcome: 'CANCELLED', readings: [] });
    const gate = byPart({ request: decision({ receipt: [] }), operation: cancelled });
    const rateLimit = checkOf(gate);
    await rateLimit.chargeRequest();
    await expect(rateLimit.chargeOperation(fields, 70)).rejects.toThrow(Rejected);
    expect(gate.refund).not.toHaveBeenCalled();
  });

  it('remembers of an operation that goes on for hours how it was admitted, and refunds nothing of it', async () => {
    const degraded = decision({ outcome: 'DEGRADE', readings: [reading()], budget: reading(), receipt: [] });
    const gate = byPart({ whole: degraded });
    const rateLimit = checkOf(gate);
    await rateLimit.chargeOperation(fields, 70);
    rateLimit.keepOutcome();
    expect(rateLimit.decision).toMatchObject({
      outcome: 'DEGRADE',
      readings: [],
      budget: null,
      receipt: null,
    });
    await rateLimit.chargeRequest();
    expect(gate.decide).toHaveBeenCalledOnce();
    rateLimit.settle(5);
    expect(gate.settle).not.toHaveBeenCalled();
  });

  it('charges request and operation in one step where the operation is known at once', async () => {
    const gate = handMadeGate();
    const rateLimit = checkOf(gate);
    await rateLimit.chargeOperation(fields, 70);
    await rateLimit.chargeRequest();
    expect(gate.decide).toHaveBeenCalledOnce();
    expect(gate.decide.mock.calls[0]![0]).toEqual({
      caller,
      endpoints: new Map([
        [OPERATION_ENDPOINT, 1],
        ['Query.feed', 2],
      ]),
      queryCost: 70,
      part: 'whole',
    });
  });

  it('pays for its operation alone once it has arrived', async () => {
    const gate = handMadeGate();
    const rateLimit = checkOf(gate);
    await rateLimit.chargeRequest();
    await rateLimit.chargeOperation(fields, 70);
    expect(gate.decide.mock.calls[1]![0]).toEqual({
      caller,
      endpoints: fields,
      queryCost: 70,
      part: 'operation',
    });
    expect(gate.refund).not.toHaveBeenCalled();
  });

  it('refunds the request where its operation is refused', async () => {
    const [arrived, refused] = [decision(), rejected()];
    const gate = byPart({ request: arrived, operation: refused });
    const rateLimit = checkOf(gate);
    await rateLimit.chargeRequest();
    await expect(rateLimit.chargeOperation(fields, 70)).rejects.toMatchObject({
      decision: refused,
      queryCost: 70,
    });
    expect(gate.refund.mock.calls).toEqual([[arrived]]);
    expect(rateLimit.decision).toBe(refused);
  });

  it('refunds nothing where both are refused in one step', async () => {
    const refused = rejected();
    const gate = byPart({ whole: refused });
    await expect(checkOf(gate).chargeOperation(fields, 70)).rejects.toThrow(Rejected);
    expect(gate.refund).not.toHaveBeenCalled();
  });

  it('decides again about both where the request was admitted without counters', async () => {
    const uncounted = decision({ decidedBy: 'unreachable' });
    const refused = rejected();
    const gate = byPart({ request: uncounted, whole: refused });
    const rateLimit = checkOf(gate);
    await rateLimit.chargeRequest();
    await expect(rateLimit.chargeOperation(fields, 70)).rejects.toMatchObject({ decision: refused });
    expect(gate.decide.mock.calls.map(([{ part }]) => part)).toEqual(['request', 'whole']);
    expect(gate.refund.mock.calls).toEqual([[uncounted]]);
  });

  it('charges a failed sign-in together with the request that it came with', async () => {
    const gate = handMadeGate();
    await checkOf(gate, 'wrong').chargeRequest();
    const endpoints = new Map([
      [OPERATION_ENDPOINT, 1],
      ['login', 1],
    ]);
    expect(gate.decide.mock.calls.map(([request]) => request)).toMatchObject([
      { endpoints, part: 'request' },
    ]);
    expect(failedSignIn('192.0.2.1')).toMatchObject({ caller: { userId: null }, part: 'operation' });
  });

  it('refuses before anything is read where the gate knows the refusal, and charges nothing', () => {
    const gate = handMadeGate();
    const rateLimit = checkOf(gate);
    rateLimit.refuseKnown();
    gate.decideLocally.mockReturnValue(rejected());
    expect(() => rateLimit.refuseKnown()).toThrow(Rejected);
    expect(gate.decide).not.toHaveBeenCalled();
  });
});

describe('what an operation did not use', () => {
  const budget = reading({ rule: 'query_cost', counts: 'query_cost' });

  it('is refunded to the decision that reserved it', async () => {
    const operated = decision({ readings: [budget] });
    const gate = byPart({ operation: operated });
    const rateLimit = checkOf(gate);
    await rateLimit.chargeRequest();
    await rateLimit.chargeOperation(fields, 70);
    rateLimit.settle(12);
    expect(gate.settle.mock.calls).toEqual([[operated, 12]]);
  });

  it('is nothing where nothing was reserved', async () => {
    const gate = handMadeGate();
    const rateLimit = checkOf(gate);
    rateLimit.settle(12);
    await rateLimit.chargeOperation(fields, 70);
    rateLimit.settle(12);
    expect(gate.settle).not.toHaveBeenCalled();
  });
});

describe('the decision about a request and its operation together', () => {
  const path = reading({ rule: `endpoint=${OPERATION_ENDPOINT}`, level: 'endpoint' }, { remaining: 50 });
  const user = reading({ rule: 'user_id' }, { remaining: 30 });
  const everybody = reading({ rule: 'global', level: 'global' }, { remaining: 9_000 });
  const field = reading({ rule: 'endpoint=Query.feed', level: 'endpoint' }, { remaining: 40 });
  const budget = reading({ rule: 'query_cost', counts: 'query_cost' }, { remaining: 3 });
  const ofRequest = decision({ readings: [path, user, everybody], decisive: user });

  async function together(operation: RateLimitDecision): Promise<RateLimitDecision | undefined> {
    const rateLimit = checkOf(byPart({ request: ofRequest, operation }));
    await rateLimit.chargeRequest();
    await rateLimit.chargeOperation(fields, 70);
    return rateLimit.decision;
  }

  it('lists the operation’s endpoints, then the request’s, and the budget beside the user’s limits', async () => {
    const merged = await together(decision({ readings: [field, budget], decisive: field }));
    expect(merged?.readings.map(({ tier }) => tier.rule)).toEqual([
      'endpoint=Query.feed',
      `endpoint=${OPERATION_ENDPOINT}`,
      'query_cost',
      'user_id',
      'global',
    ]);
    expect(merged).toMatchObject({ outcome: 'ALLOW', decisive: user, budget });
  });

  it('takes the stricter limit of both as the decisive one', async () => {
    const strict = { ...field, remaining: 1 };
    expect(await together(decision({ readings: [strict], decisive: strict }))).toMatchObject({
      decisive: strict,
    });
    expect(await together(decision({ readings: [], decisive: null }))).toMatchObject({ decisive: user });
  });

  it('is degraded where either is', async () => {
    expect(await together(decision({ outcome: 'DEGRADE' }))).toMatchObject({ outcome: 'DEGRADE' });
  });
});
