import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inTurn } from '../../src/domains/notifications/providers/failover.js';
import { failed } from '../../src/domains/notifications/providers/failure.js';
import { withPauses } from '../../src/domains/notifications/providers/pausing.js';
import type { ProviderOutcome } from '../../src/domains/notifications/providers/provider.js';
import { HeldClock, neverAborted, someMessage } from './with-sandbox.js';

const accepted: ProviderOutcome = { kind: 'accepted', providerId: 'm-1' };
const unavailable = failed('PROVIDER_DOWN', 'HTTP 503', { status: 503, retryable: true, notTaken: true });
const broken = failed('PROVIDER_DOWN', 'HTTP 500', { status: 500, retryable: true });
const unanswered = failed('PROVIDER_TIMEOUT', 'no answer', { retryable: true, outcomeUnknown: true });
const cutOff = failed('PROVIDER_DOWN', 'ECONNRESET', { retryable: true, outcomeUnknown: true });
const limited = failed('RATE_LIMITED', '429', {
  status: 429,
  retryable: true,
  retryAfter: 30,
  notTaken: true,
});
const unknownKey = failed('CREDENTIALS_REFUSED', '401', { status: 401, notTaken: true });
const noMailbox = failed('INVALID_ADDRESS', '550', {
  status: 550,
  removeToken: true,
  addressFault: 'HARD_BOUNCE',
});
const tooLarge = failed('PAYLOAD_TOO_LARGE', '413', { status: 413 });
const mayBeTaken = [accepted, broken, unanswered, cutOff, noMailbox, tooLarge];
const notTaken = [unavailable, limited, unknownKey];

/** Providers with given answers, each behind its pauses. */
function trial(answers: readonly ProviderOutcome[], now?: () => number) {
  const clock = new HeldClock();
  const asked: number[] = [];
  const current = [...answers];
  const providers = answers.map((_, place) =>
    withPauses(
      {
        name: `provider-${place}`,
        send: async () => {
          asked.push(place);
          return current[place]!;
        },
        close: async () => undefined,
      },
      { clock, random: () => 0 },
    ),
  );
  const inOrder = inTurn(providers, now);
  return {
    clock,
    asked,
    current,
    providers,
    inOrder,
    send: (signal = neverAborted()) => inOrder.send(someMessage(), signal),
  };
}

describe('of several providers', () => {
  it('a call goes to the first, and to no other after an answer that may mean accepted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...mayBeTaken, ...notTaken), { minLength: 2, maxLength: 4 }),
        async (answers) => {
          const { asked, send } = trial(answers);
          const outcome = await send();
          const decisive = answers.findIndex((answer) => mayBeTaken.includes(answer));
          const until = decisive === -1 ? answers.length : decisive + 1;
          expect(asked).toEqual(Array.from({ length: until }, (_, place) => place));
          if (decisive !== -1)
            expect(outcome).toMatchObject({ ...answers[decisive], by: `provider-${decisive}` });
        },
      ),
    );
  });

  it('the outcome names who answered, and who was asked before', async () => {
    expect(await trial([unavailable, limited, accepted]).send()).toEqual({
      ...accepted,
      by: 'provider-2',
      askedBefore: [
        { provider: 'provider-0', code: 'PROVIDER_DOWN' },
        { provider: 'provider-1', code: 'RATE_LIMITED' },
      ],
    });
  });

  it('those that pause are passed over without a call', async () => {
    const { asked, current, send } = trial([limited, accepted]);
    await send();
    current[0] = accepted;
    asked.length = 0;
    expect(await send()).toMatchObject({ kind: 'accepted', by: 'provider-1' });
    expect(asked).toEqual([1]);
  });

  it('the first is asked again once its pause is over', async () => {
    const { clock, asked, current, send } = trial([limited, accepted]);
    await send();
    current[0] = accepted;
    clock.forward(31);
    asked.length = 0;
    expect(await send()).toMatchObject({ kind: 'accepted', by: 'provider-0' });
    expect(asked).toEqual([0]);
  });

  it('a wrong key of one gives up no message while another is only away', async () => {
    expect(await trial([unavailable, unknownKey]).send()).toMatchObject({
      code: 'PROVIDER_DOWN',
      retryable: true,
      by: 'provider-0',
    });
    expect(await trial([unknownKey, unknownKey]).send()).toMatchObject({ retryable: false });
  });

  it('the shortest pause is waited for where all of them pause', async () => {
    const { inOrder, clock, send } = trial([limited, { ...limited, retryAfter: 5 }]);
    expect(inOrder.pausedUntil()).toBeNull();
    expect(await send()).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 5 });
    expect(inOrder.pausedUntil()).toBe(clock.now() + 5_000);
    expect(inOrder.isPausing()).toBe(true);
    expect(await send()).toMatchObject({ code: 'PROVIDER_PAUSED', retryAfter: 5 });
  });

  it('none is asked whose answer would come too late', async () => {
    let now = 0;
    const slow = trial([unavailable, accepted], () => (now += 2_000));
    expect(await slow.send()).toMatchObject({ kind: 'accepted' });
    const tooSlow = trial([unavailable, accepted], () => (now += 3_000));
    expect(await tooSlow.send()).toMatchObject({ code: 'PROVIDER_DOWN', by: 'provider-0' });
    expect(tooSlow.asked).toEqual([0]);
  });

  it('none is asked for a call that was aborted', async () => {
    const { asked, send } = trial([unavailable, accepted]);
    expect(await send(AbortSignal.abort())).toMatchObject({ code: 'PROVIDER_DOWN' });
    expect(asked).toEqual([0]);
  });
});

it('a single provider stays as it is', () => {
  const { providers } = trial([accepted]);
  expect(inTurn(providers)).toBe(providers[0]);
});
