import { describe, expect, it } from 'vitest';
import type { Gate, GateRequest } from '../../../src/edge/gate/gate.js';
import { arrivalAt, failedSignIn, gateCaller, OPERATION_ENDPOINT } from '../../../src/edge/gate/passage.js';
import { createSparingGate } from '../../../src/edge/gate/sparing-gate.js';
import { handMadeGate, reading, rejected, verdict } from '../hand-made-gate.js';

const asks = (userId: string | null, network = '192.0.2.1'): GateRequest => ({
  caller: { ...gateCaller(null, network), userId },
  endpoints: new Map([[OPERATION_ENDPOINT, 1]]),
  queryCost: null,
  part: 'arrival',
});
const operates = (userId: string | null, network?: string): GateRequest => ({
  ...asks(userId, network),
  queryCost: 10,
  part: 'whole',
});

async function times(count: number, gate: Gate, request: GateRequest): Promise<void> {
  for (let n = 0; n < count; n += 1) await gate.decide(request);
}

describe('a caller whose operations were refused more than five times within a second', () => {
  it('goes on with other operations where they were refused only for want of counters', async () => {
    const inner = handMadeGate(() => ({ ...rejected(reading()), decidedBy: 'unreachable' }));
    const gate = createSparingGate(inner, () => 1_000);
    await times(10, gate, operates('alice'));
    expect(gate.foresee(asks('alice'))).toBeUndefined();
  });

  it('is nobody whose client left while they waited for their turn', async () => {
    const gate = createSparingGate(
      handMadeGate(() => verdict({ outcome: 'CANCELLED', readings: [] })),
      () => 1_000,
    );
    await times(20, gate, operates('alice'));
    expect(gate.foresee(asks('alice'))).toBeUndefined();
  });

  it('is refused unread until that second is over, and told to come back then, whatever limit refused before', async () => {
    let now = 1_000;
    const inner = handMadeGate(() => ({ ...rejected(reading({ rule: 'slow' })), retryAfterMs: 1_800_000 }));
    const gate = createSparingGate(inner, () => now, { now: () => 50_000 });
    await times(5, gate, operates('mallory'));
    expect(gate.foresee(asks('mallory'))).toBeUndefined();
    await times(1, gate, operates('mallory'));
    now = 1_999;
    expect(gate.foresee(asks('mallory'))).toMatchObject({
      outcome: 'REJECT',
      retryAfterMs: 1,
      decisive: { tier: { rule: 'refused_operations', limit: 5, windowSeconds: 1 }, resetAt: 50_001 },
    });
    expect(inner.decide).toHaveBeenCalledTimes(6);
    expect(inner.refusedAlike).toHaveBeenCalledTimes(1);
    now = 2_000;
    expect(gate.foresee(asks('mallory'))).toBeUndefined();
    await times(1, gate, operates('mallory'));
    expect(gate.foresee(asks('mallory'))).toBeUndefined();
  });

  it('is refused by the limit that holds for everything they send, where the process remembers one', async () => {
    const inner = handMadeGate(() => rejected());
    const gate = createSparingGate(inner, () => 1_000);
    await times(6, gate, operates('mallory'));
    const whole = rejected(reading({ rule: 'user_id' }));
    inner.foresee.mockReturnValue(whole);
    expect(gate.foresee(asks('mallory'))).toBe(whole);
    expect(inner.refusedAlike).not.toHaveBeenCalled();
  });

  it('is one user from whichever address, or else one network; nobody beside him is refused', async () => {
    const gate = createSparingGate(
      handMadeGate(() => rejected()),
      () => 0,
    );
    await times(6, gate, operates('mallory'));
    await times(6, gate, operates(null, '198.51.100.9'));
    expect(gate.foresee(asks('mallory', '203.0.113.5'))).toBeDefined();
    expect(gate.foresee(asks(null, '198.51.100.9'))).toBeDefined();
    expect(gate.foresee(asks('alice'))).toBeUndefined();
    expect(gate.foresee(asks(null))).toBeUndefined();
    expect(gate.foresee(asks('bob', '198.51.100.9'))).toBeUndefined();
  });

  it('is told when to try again, also where the last one was too large for ever', async () => {
    const gate = createSparingGate(
      handMadeGate(() => ({ ...rejected(), impossible: true })),
      () => 0,
    );
    await times(6, gate, operates('mallory'));
    expect(gate.foresee(asks('mallory'))).toMatchObject({ impossible: false, retryAfterMs: 1_000 });
  });

  it('may still use everything but GraphQL', async () => {
    const gate = createSparingGate(
      handMadeGate(() => rejected()),
      () => 0,
    );
    await times(6, gate, operates('mallory'));
    expect(gate.foresee({ ...asks('mallory'), endpoints: new Map([['login', 1]]) })).toBeUndefined();
  });
});

describe('a network that had more than five guessed credentials refused within a second', () => {
  const guess = (network: string, endpoint = 'GET /api/orders/{order_id}'): GateRequest => ({
    ...asks(null, network),
    endpoints: arrivalAt(endpoint, 'disbelieved'),
  });

  for (const [how, refuse] of [
    ['by the counters', (gate: Gate) => gate.decide(guess('192.0.2.1'))],
    ['from memory', (gate: Gate) => gate.foresee(guess('192.0.2.1', OPERATION_ENDPOINT))],
  ] as const) {
    it(`${how}, has no more of them looked up until that second is over`, async () => {
      let now = 0;
      const inner = handMadeGate(() => rejected());
      inner.foresee.mockImplementation(({ endpoints }) => (endpoints.size > 1 ? rejected() : undefined));
      const gate = createSparingGate(inner, () => now);
      for (let n = 0; n < 5; n += 1) await refuse(gate);
      expect(gate.foresee(failedSignIn('192.0.2.1'))).toBeUndefined();
      await refuse(gate);
      now = 999;
      expect(gate.foresee(failedSignIn('192.0.2.1'))).toMatchObject({ outcome: 'REJECT' });
      expect(gate.foresee(failedSignIn('192.0.2.2'))).toBeUndefined();
      now = 1_000;
      expect(gate.foresee(failedSignIn('192.0.2.1'))).toBeUndefined();
    });
  }

  it('is not prolonged by what is refused without a lookup', () => {
    const inner = handMadeGate();
    inner.foresee.mockReturnValue(rejected());
    let now = 0;
    const gate = createSparingGate(inner, () => now);
    for (; now < 900; now += 100) gate.foresee(failedSignIn('192.0.2.1'));
    expect(inner.foresee).toHaveBeenCalledTimes(9);
  });
});

it('refusals that come before anything was read, and operations that are admitted, are held against nobody', async () => {
  const inner = handMadeGate(({ part }) => (part === 'arrival' ? rejected() : verdict()));
  const gate = createSparingGate(inner, () => 0);
  await times(20, gate, asks('ann'));
  await times(20, gate, operates('ann'));
  expect(gate.foresee(asks('ann'))).toBeUndefined();
});

it('only so many callers are remembered: the longest forgotten go first', async () => {
  const gate = createSparingGate(
    handMadeGate(() => rejected()),
    () => 0,
  );
  await times(6, gate, operates('first'));
  for (let n = 0; n < 10_000; n += 1) await gate.decide(operates(`user ${n}`));
  expect(gate.foresee(asks('first'))).toBeUndefined();
});
