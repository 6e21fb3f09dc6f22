import type { PausingProvider } from './pausing.js';
import type { Answered, ProviderFailure, ProviderOutcome } from './provider.js';

type FailedOutcome = Extract<ProviderOutcome, { kind: 'failed' }>;
type Asked = NonNullable<Answered['askedBefore']>[number];

/**
 * Another provider is not asked later than this, in milliseconds after the call began: what is left of the call's time is too short
 * for an answer, and a call that is cut off may have had its effect.
 */
const BEGIN_WITHIN_MS = 2_500;

/**
 * Several providers of one kind of address as one: each call goes to the first; to the next one where the one before surely took
 * nothing and is itself at fault (it is paused, refuses connections, or says that it takes nothing now); and never to another one
 * after an answer that may mean accepted. It pauses only while all of them do.
 *
 * @param providers in the order in which they are asked; a single one stays as it is
 * @param now milliseconds of a clock that nobody sets
 */
export function inTurn(
  providers: readonly PausingProvider[],
  now: () => number = () => performance.now(),
): PausingProvider {
  const [first] = providers;
  if (!first || providers.length === 1) return first!;

  return {
    name: providers.map(({ name }) => name).join(','),
    async send(message, signal) {
      const beginBefore = now() + BEGIN_WITHIN_MS;
      const failures: FailedOutcome[] = [];
      for (const { name, send } of providers) {
        const outcome = answeredBy(name, await send(message, signal), failures.map(toAsked));
        if (outcome.kind !== 'failed' || !outcome.notTaken) return outcome;
        failures.push(outcome);
        if (signal.aborted || now() > beginBefore) break;
      }
      return ofAll(failures);
    },
    pausedUntil(address) {
      const ends = providers.map((provider) => provider.pausedUntil(address));
      return ends.reduce((a, b) => (a === null || b === null ? null : Math.min(a, b)));
    },
    isPausing: () => providers.every((provider) => provider.isPausing()),
    close: async () => {
      await Promise.all(providers.map((provider) => provider.close()));
    },
  };
}

const answeredBy = (
  by: string,
  outcome: ProviderOutcome,
  askedBefore: readonly Asked[],
): ProviderOutcome => ({ ...outcome, by, ...(askedBefore.length > 0 && { askedBefore }) });

const toAsked = ({ by, code }: FailedOutcome): Asked => ({ provider: by!, code });

/**
 * What a call came to that nobody took: a failure after which another attempt may succeed, if there is one, and one of a provider
 * that was really called before one of a provider that is only paused. Of several pauses the shortest.
 *
 * @param failures one at least, in the order in which they came
 */
export function ofAll<Failure extends ProviderFailure & Answered>(failures: readonly Failure[]): Failure {
  return failures.reduce((best, next) => (preference(next) < preference(best) ? next : best));
}

function preference({ code, retryable, retryAfter = 0 }: ProviderFailure): number {
  const isPause = code === 'PROVIDER_PAUSED' || code === 'RATE_LIMITED';
  if (!retryable) return Number.POSITIVE_INFINITY;
  return isPause ? retryAfter : -1;
}
