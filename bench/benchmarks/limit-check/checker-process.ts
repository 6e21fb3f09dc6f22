import { answerParent } from '../../harness/answer-parent.ts';
import { type Latency, latencyOf } from '../../harness/latency.ts';
import { atPace, type Pace } from '../../harness/pace.ts';
import { loadPackageOfProduct } from '../../harness/product.ts';
import { type Answer, type Checker, tiersOf } from './checkers/checker.ts';
import { type CheckerName, checkers } from './checkers/index.ts';
import { openLimiter, requestOf } from './limiter.ts';

/** What a process of checks does for the benchmark. */
export type CheckerMethods = typeof methods;

/** So many users take turns; none of them ever reaches his limit. */
const users = Array.from({ length: 10_000 }, (_, n) => `user-${n}`);
const NEVER_REACHED = 1_000_000_000;
/** Requests that a busy server has in hand at once. */
const CONCURRENT = 128;

let checker: Checker | undefined;
let open: { name: CheckerName; redisUrl: string } | undefined;

const methods = {
  async open(name: CheckerName, redisUrl: string, tiers: 1 | 4): Promise<void> {
    await checker?.close();
    open = { name, redisUrl };
    checker = await checkers[name](redisUrl, tiersOf(tiers, NEVER_REACHED));
  },

  /** @throws when a limit of 5 does not admit exactly 5 of 20, all asked at once */
  async verify(tiers: 1 | 4, user: string): Promise<void> {
    if (!open) throw new Error('no checker is open');
    const strict = await checkers[open.name](open.redisUrl, tiersOf(tiers, 5));
    const answers = await Promise.all(Array.from({ length: 20 }, () => strict.check(user)));
    await strict.close();
    const admitted = answers.filter((answer) => answer === 'admitted').length;
    // A window may end between two of them.
    if (admitted !== 5 && admitted !== 10)
      throw new Error(`${open.name} admitted ${admitted} of 20 where 5 may pass`);
  },

  /** Checks a second, by so many at once as a busy server has. */
  async run(seconds: number): Promise<number> {
    const until = performance.now() + seconds * 1000;
    let checks = 0;
    const client = async (n: number): Promise<void> => {
      for (let turn = n; performance.now() < until; turn += CONCURRENT) {
        if ((await ask(turn)) !== 'admitted') throw new Error('a user below his limit was not admitted');
        checks += 1;
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: CONCURRENT }, (_, n) => client(n)));
    return checks / ((performance.now() - startedAt) / 1000);
  },

  /** How long checks take that come at a pace, whatever becomes of earlier ones. */
  async pace(pace: Pace): Promise<Latency & { readonly unasked: number }> {
    let unasked = 0;
    const { steps } = await atPace(pace, async (n) => {
      const startedAt = performance.now();
      if ((await ask(n)) === 'unasked') unasked += 1;
      return performance.now() - startedAt;
    });
    return { ...latencyOf(steps), unasked };
  },

  /** Whole decisions a second about a user who is past his limit. */
  async offend(redisUrl: string, seconds: number): Promise<number> {
    const { Registry } = loadPackageOfProduct<typeof import('prom-client')>('prom-client');
    const document = JSON.stringify({
      domain: 'bench',
      descriptors: [
        { key: 'global', rate_limit: { requests_per_unit: NEVER_REACHED, unit: 'minute' } },
        {
          key: 'user_id',
          rate_limits: tiersOf(4, 5).map(({ unit }) => ({ requests_per_unit: 5, unit })),
        },
      ],
    });
    const { limiter, close } = await openLimiter(redisUrl, document, new Registry());
    const request = requestOf('offender');
    const until = performance.now() + seconds * 1000;
    let decisions = 0;
    let refusedMs = 0;
    while (performance.now() < until) {
      // The store is asked once a second at most; what is counted is what this process decides by itself.
      await limiter.decide(request);
      const startedAt = performance.now();
      for (let n = 0; n < 1_000 && limiter.decideLocally(request)?.outcome === 'REJECT'; n += 1)
        decisions += 1;
      refusedMs += performance.now() - startedAt;
    }
    await close();
    if (decisions === 0) throw new Error('the offender was never refused from memory');
    return decisions / (refusedMs / 1000);
  },

  async close(): Promise<void> {
    await checker?.close();
    checker = undefined;
  },
};

function ask(n: number): Promise<Answer> {
  if (!checker) throw new Error('no checker is open');
  return checker.check(users[n % users.length] ?? '');
}

answerParent(methods);
