import { describe, expect, it } from 'vitest';
import type { Gate, GateRequest, Verdict } from '../../../src/edge/gate/gate.js';
import {
  arrivalAt,
  failedSignIn,
  gateCaller,
  OPERATION_ENDPOINT,
  Passage,
  Rejected,
} from '../../../src/edge/gate/passage.js';
import { handMadeGate, reading, rejected, verdict } from '../hand-made-gate.js';

const caller = gateCaller({ userId: 'ann', plan: 'pro', roles: new Set() }, '192.0.2.1');
const fields = new Map([['Query.feed', 2]]);
const never = new AbortController().signal;
const passageThrough = (gate: Gate, credentials: 'believed' | 'disbelieved' = 'believed') =>
  new Passage(gate, caller, arrivalAt(OPERATION_ENDPOINT, credentials), () => never);

/** Decides by the part that is asked about. */
const byPart = (answers: Partial<Record<GateRequest['part'], Verdict>>) =>
  handMadeGate(({ part }) => answers[part] ?? verdict());

describe('a request on its way through the gate', () => {
  it('is charged for its arrival once, however often it arrives', async () => {
    const gate = handMadeGate();
    const passage = passageThrough(gate);
    await passage.arrive();
    await passage.arrive();
    expect(gate.decide).toHaveBeenCalledOnce();
    expect(gate.decide.mock.calls[0]![0]).toEqual({
      caller,
      endpoints: new Map([[OPERATION_ENDPOINT, 1]]),
      queryCost: null,
      part: 'arrival',
    });
  });

  it('whose client leaves while its operation waits keeps its arrival charged, since its document was read, and does not go on', async () => {
    const cancelled = verdict({ outcome: 'CANCELLED', readings: [] });
    const gate = byPart({ arrival: verdict({ receipt: {} }), operation: cancelled });
    const passage = passageThrough(gate);
    await passage.arrive();
    await expect(passage.operate(fields, 70)).rejects.toThrow(Rejected);
    expect(gate.refund).not.toHaveBeenCalled();
  });

  it('passes whole, in one step, where its operation is known at once', async () => {
    const gate = handMadeGate();
    const passage = passageThrough(gate);
    await passage.operate(fields, 70);
    await passage.arrive();
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
    const passage = passageThrough(gate);
    await passage.arrive();
    await passage.operate(fields, 70);
    expect(gate.decide.mock.calls[1]![0]).toEqual({
      caller,
      endpoints: fields,
      queryCost: 70,
      part: 'operation',
    });
    expect(gate.refund).not.toHaveBeenCalled();
  });

  it('gets its arrival back where its operation is refused', async () => {
    const [arrived, refused] = [verdict(), rejected()];
    const gate = byPart({ arrival: arrived, operation: refused });
    const passage = passageThrough(gate);
    await passage.arrive();
    await expect(passage.operate(fields, 70)).rejects.toMatchObject({ verdict: refused, queryCost: 70 });
    expect(gate.refund.mock.calls).toEqual([[arrived]]);
    expect(passage.verdict).toBe(refused);
  });

  it('is refused for good where it is refused whole: there is nothing to give back', async () => {
    const refused = rejected();
    const gate = byPart({ whole: refused });
    await expect(passageThrough(gate).operate(fields, 70)).rejects.toThrow(Rejected);
    expect(gate.refund).not.toHaveBeenCalled();
  });

  it('is judged anew as a whole where nobody could count its arrival', async () => {
    const uncounted = verdict({ decidedBy: 'unreachable' });
    const refused = rejected();
    const gate = byPart({ arrival: uncounted, whole: refused });
    const passage = passageThrough(gate);
    await passage.arrive();
    await expect(passage.operate(fields, 70)).rejects.toMatchObject({ verdict: refused });
    expect(gate.decide.mock.calls.map(([{ part }]) => part)).toEqual(['arrival', 'whole']);
    expect(gate.refund.mock.calls).toEqual([[uncounted]]);
  });

  it('is one decision with its failed sign-in, whichever path it came on', async () => {
    const gate = handMadeGate();
    await passageThrough(gate, 'disbelieved').arrive();
    const endpoints = new Map([
      [OPERATION_ENDPOINT, 1],
      ['login', 1],
    ]);
    expect(gate.decide.mock.calls.map(([request]) => request)).toMatchObject([
      { endpoints, part: 'arrival' },
    ]);
    expect(failedSignIn('192.0.2.1')).toMatchObject({ caller: { userId: null }, part: 'operation' });
  });

  it('is refused unread where the gate knows that already, and charged nothing by being asked about', () => {
    const gate = handMadeGate();
    const passage = passageThrough(gate);
    passage.foresee();
    gate.foresee.mockReturnValue(rejected());
    expect(() => passage.foresee()).toThrow(Rejected);
    expect(gate.decide).not.toHaveBeenCalled();
  });
});

describe('what an operation did not use', () => {
  const budget = reading({ rule: 'query_cost', counts: 'query_cost' });

  it('goes back to the verdict that reserved it', async () => {
    const operated = verdict({ readings: [budget] });
    const gate = byPart({ operation: operated });
    const passage = passageThrough(gate);
    await passage.arrive();
    await passage.operate(fields, 70);
    passage.settle(12);
    expect(gate.settle.mock.calls).toEqual([[operated, 12]]);
  });

  it('is nothing where nothing was reserved', async () => {
    const gate = handMadeGate();
    const passage = passageThrough(gate);
    passage.settle(12);
    await passage.operate(fields, 70);
    passage.settle(12);
    expect(gate.settle).not.toHaveBeenCalled();
  });
});

describe('the verdict on an arrival and its operation together', () => {
  const path = reading({ rule: `endpoint=${OPERATION_ENDPOINT}`, level: 'endpoint' }, { remaining: 50 });
  const user = reading({ rule: 'user_id' }, { remaining: 30 });
  const everybody = reading({ rule: 'global', level: 'global' }, { remaining: 9_000 });
  const field = reading({ rule: 'endpoint=Query.feed', level: 'endpoint' }, { remaining: 40 });
  const budget = reading({ rule: 'query_cost', counts: 'query_cost' }, { remaining: 3 });
  const arrival = verdict({ readings: [path, user, everybody], decisive: user });

  async function together(operation: Verdict): Promise<Verdict | undefined> {
    const passage = passageThrough(byPart({ arrival, operation }));
    await passage.arrive();
    await passage.operate(fields, 70);
    return passage.verdict;
  }

  it('tells the operation’s endpoints, then the arrival’s, and the budget beside the user’s limits', async () => {
    const merged = await together(verdict({ readings: [field, budget], decisive: field }));
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
    expect(await together(verdict({ readings: [strict], decisive: strict }))).toMatchObject({
      decisive: strict,
    });
    expect(await together(verdict({ readings: [], decisive: null }))).toMatchObject({ decisive: user });
  });

  it('is degraded where either is', async () => {
    expect(await together(verdict({ outcome: 'DEGRADE' }))).toMatchObject({ outcome: 'DEGRADE' });
  });
});
