/**
 * Rate limits between the edge, which asks, and `domains/limits`, which decides: what is asked, what is decided, and the
 * port. Declared here once; neither side has a copy.
 */

/** How a tier counts. */
export type Algorithm = (typeof ALGORITHMS)[number];
export const ALGORITHMS = [
  'fixed_window',
  'sliding_window_log',
  'sliding_window_counter',
  'token_bucket',
  'leaky_bucket',
] as const;

/** Most specific first: the order in which tiers are evaluated and listed. */
export const LEVELS = ['endpoint', 'user', 'ip', 'global'] as const;
export type Level = (typeof LEVELS)[number];

/** Where GraphQL answers, over HTTP and WebSocket. */
export const GRAPHQL_PATH = '/graphql';
/** The endpoint of every GraphQL operation, on whichever transport it came. */
export const OPERATION_ENDPOINT = `POST ${GRAPHQL_PATH}`;
/** The endpoint that wrong credentials are charged to. */
export const SIGN_IN_ENDPOINT = 'login';

/** One limit of one rule. Made once, when the rules are compiled. */
export interface Tier {
  /** The rule's path, stable and readable, e.g. `user_id/plan=pro` or `endpoint=Mutation.placeOrder`. */
  readonly rule: string;
  /** `per_minute` and the like, unless the rule names it. */
  readonly name: string;
  readonly level: Level;
  /**
   * Whose counter it is. Only rules under `global` are shared by all callers; `api_key` counts each key by itself; all
   * others count each caller by itself: the user, else the network address.
   */
  readonly scope: 'caller' | 'api_key' | 'global';
  /** What its units are: requests (and mentions of root fields), or points of what operations cost. */
  readonly counts: 'requests' | 'query_cost';
  readonly algorithm: Algorithm;
  readonly windowSeconds: number;
  /** Units admitted in a window; of a bucket, what it holds (`burst`). Infinity where the rule is `unlimited`. */
  readonly limit: number;
  /** What a bucket regains, or drains, in a window: `requests_per_unit`. Equals `limit` elsewhere. */
  readonly perWindow: number;
  /** Up to this much in use the outcome is ALLOW, up to `limit` DEGRADE. */
  readonly softLimit: number | null;
  readonly action: 'reject' | 'throttle';
  /** What becomes of requests while counters cannot be reached. */
  readonly fail: 'open' | 'closed';
  /** Counts, and never refuses. */
  readonly shadow: boolean;
  /** What one use charges. Rules of `query_cost` charge the operation's cost times this. */
  readonly cost: number;
  /** Names the counter among its owner's: another algorithm or window is another counter, another limit is not. */
  readonly counterId: string;
}

/** Who asks, as far as verified. */
export interface RateLimitCaller {
  /** Null for an anonymous caller. */
  readonly userId: string | null;
  readonly plan: string | null;
  /** Of the verified key by which the user is known; else null. */
  readonly apiKeyId: string | null;
  /** The client's network: an IPv4 address or an IPv6 /64. */
  readonly network: string;
}

/** What one request, or one GraphQL operation of it, does. */
export interface RateLimitRequest {
  readonly caller: RateLimitCaller;
  /** `METHOD /path` with `*` for each parameter, `Type.field` of each root field, or `login`; with how often. */
  readonly endpoints: ReadonlyMap<string, number>;
  /** What the operation may cost at most; null where the request is none, or its operation not known yet. */
  readonly queryCost: number | null;
  /**
   * `request`: everything that needs no operation. `operation`: only what `request` left out, once the operation is
   * known. `whole`: both at once.
   */
  readonly part: 'request' | 'operation' | 'whole';
  /** It was admitted without counters before, as `request`, and counted as that. */
  readonly isAgain?: true;
}

/** The state of a tier after the decision. */
export interface TierReading {
  readonly tier: Tier;
  /** Units in use, this request's among them if it was admitted. */
  readonly used: number;
  /** Never negative. */
  readonly remaining: number;
  /** Milliseconds since the epoch: when the window ends, or the bucket is whole again. */
  readonly resetAt: number;
}

/**
 * `DEGRADE`: admitted above a soft limit; go on with reduced function. `CANCELLED`: the client left while its request waited
 * in a queue. It is neither refused nor charged, and must not go on.
 */
export type Outcome = 'ALLOW' | 'DEGRADE' | 'REJECT' | 'CANCELLED';

/** What was decided, and why. */
export interface RateLimitDecision {
  readonly outcome: Outcome;
  /** Each tier looked at: all of them, or those up to the first violated one. Most specific first. */
  readonly readings: readonly TierReading[];
  /** The violated tier, or the one that was waited for when the client left, else the one with the least remaining; null where no limited tier applies. `query_cost` only when violated. */
  readonly decisive: TierReading | null;
  /** Null unless refused. Milliseconds until the request may be tried again, never 0. */
  readonly retryAfterMs: number | null;
  /** Where `retryAfterMs` is no use: the charge is larger than the tier will ever hold. */
  readonly impossible: boolean;
  /** The tier of `query_cost`, for `extensions.cost`; null where the caller has none. */
  readonly budget: TierReading | null;
  /** `store`: counters answered. `memory`: this process decided without asking them: it knew a refusal, its queue was full, or the charge is above the limit. `unreachable`: decided by each rule's `fail`. `none`: no limited tier. */
  readonly decidedBy: 'store' | 'memory' | 'unreachable' | 'none';
  /** What `refund` and `settle` need; null where nothing was charged. */
  readonly receipt: Receipt | null;
}

/** What was charged where, so that it can be refunded. */
export type Receipt = readonly ReceiptEntry[];
export interface ReceiptEntry {
  /** The key in Redis that holds the counter. */
  readonly key: string;
  /** The owner's hash tag: all keys of one owner live in one slot. */
  readonly owner: string;
  readonly algorithm: Algorithm;
  readonly charge: number;
  /** The window's number, or the first log entry's member; empty for buckets. */
  readonly mark: string | number;
  readonly tier: Tier;
}

/** Readings, most specific first. Mostly they come so. */
export function inPrecedence(readings: readonly TierReading[]): readonly TierReading[] {
  for (let i = 1; i < readings.length; i += 1)
    if (rankOf(readings[i]!) < rankOf(readings[i - 1]!))
      return readings.toSorted((a, b) => rankOf(a) - rankOf(b));
  return readings;
}

const rankOf = ({ tier }: TierReading): number => LEVELS.indexOf(tier.level);

/** Decides whether requests may go on. */
export interface Gate {
  /**
   * What this process knows without asking the counters: a refusal from its cache, or a decision where no limited tier
   * applies; else undefined. Charges nothing.
   */
  decideLocally(request: RateLimitRequest): RateLimitDecision | undefined;
  /**
   * Decides and charges, all or nothing. Never rejects: an unreachable store is decided by each rule's `fail`. Where
   * the violated rule says `throttle`, waits in a queue, bounded in time and length; a client that leaves meanwhile gets
   * CANCELLED.
   *
   * @param leaving aborts when the client leaves, which gives up its position; called only where a request has to wait
   */
  decide(request: RateLimitRequest, leaving?: () => AbortSignal): Promise<RateLimitDecision>;
  /** Refunds what a decision charged: the request was refused elsewhere. */
  refund(decision: RateLimitDecision): void;
  /** Refunds what the operation did not use of its reserved query cost. */
  settle(decision: RateLimitDecision, actualCost: number): void;
}

/** What is decided where no tier limits a request. */
export const NOTHING_LIMITED: RateLimitDecision = {
  outcome: 'ALLOW',
  readings: [],
  decisive: null,
  retryAfterMs: null,
  impossible: false,
  budget: null,
  decidedBy: 'none',
  receipt: null,
};
