import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ONE_OF_EACH } from './fleet.js';
import { FAULT_MS, openTrial, TRIED_MS, type Trial } from './trial.js';

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial(ONE_OF_EACH);
  trial.ledger.mayGiveUp = true;
}, 240_000);
afterAll(() => trial?.close(), 60_000);

async function misbehave(...faults: object[]): Promise<void> {
  const { sandbox } = trial.fleet;
  for (const fault of faults) await sandbox.misbehave(fault);
  await pause(FAULT_MS);
  await sandbox.behave();
}

describe('what is accepted is kept once, what is hidden stays hidden, every subscriber hears each event once', {
  timeout: TRIED_MS,
}, () => {
  it('providers are down', () =>
    trial.endure(() =>
      misbehave(
        { channel: 'push', status: 503 },
        { channel: 'email', status: 500 },
        { channel: 'sms', status: 503 },
      ),
    ));

  it('providers hang', () =>
    trial.endure(() =>
      misbehave({ channel: 'push', hang: true, rate: 0.5 }, { channel: 'email', hang: true, rate: 0.5 }),
    ));

  /** They take what they say nothing of, and report as failed what they took. */
  it('providers lie', () =>
    trial.endure(() =>
      misbehave(
        { channel: 'push', drop: true, rate: 0.3 },
        { channel: 'email', outcome: 'bounce', rate: 0.3 },
        { channel: 'sms', outcome: 'undelivered', rate: 0.3 },
      ),
    ));
});
