/** Who asks, as far as verified. */
export interface GateCaller {
  /** Null for an anonymous caller. */
  readonly userId: string | null;
  readonly plan: string | null;
  readonly apiKeyId: string | null;
  /** The client's network: an IPv4 address or an IPv6 /64. */
  readonly network: string;
}

/** What stands at the gate: a request, or an operation of it. */
export interface GateRequest {
  readonly caller: GateCaller;
  /** `METHOD /path` with `*` for each parameter, `Type.field` of each root field, or `login`; with how often. */
  readonly endpoints: ReadonlyMap<string, number>;
  /** What the operation may cost at most; null where it is not known. */
  readonly queryCost: number | null;
  /** `arrival` needs no operation, `operation` is what `arrival` left out, `whole` is both. */
  readonly part: 'arrival' | 'operation' | 'whole';
}

/** What a rule is about, most specific first: the order in which tiers are told. */
export const LEVELS = ['endpoint', 'user', 'ip', 'global'] as const;

/** How one tier of a rule stands. */
export interface GateReading {
  readonly tier: {
    /** The rule's path. */
    readonly rule: string;
    readonly name: string;
    readonly level: (typeof LEVELS)[number];
    readonly counts: 'requests' | 'query_cost';
    /** Only watches: refuses nothing. */
    readonly shadow: boolean;
    readonly limit: number;
    readonly windowSeconds: number;
    /** What a bucket regains in a window. */
    readonly perWindow: number;
  };
  readonly remaining: number;
  /** Milliseconds since the epoch. */
  readonly resetAt: number;
}

export interface Verdict {
  /**
   * DEGRADE: go on with reduced function. CANCELLED: the client left while the gate held its request back; nothing was
   * decided or charged, and the request must not go on.
   */
  readonly outcome: 'ALLOW' | 'DEGRADE' | 'REJECT' | 'CANCELLED';
  /** Every tier looked at, most specific first. */
  readonly readings: readonly GateReading[];
  /** The violated tier, else the most restrictive; null where none applies. */
  readonly decisive: GateReading | null;
  /** Null when admitted. */
  readonly retryAfterMs: number | null;
  /** Trying again is no use: the charge is larger than the tier will ever hold. */
  readonly impossible: boolean;
  /** The query-cost budget, if the caller has one. */
  readonly budget: GateReading | null;
  /** `unreachable`: the counters could not be asked. */
  readonly decidedBy: 'store' | 'memory' | 'unreachable' | 'none';
  /** What was charged, for `refund` and `settle`: nobody else's to read. */
  readonly receipt: object | null;
}

/** Stands in front of everything that comes in. A port: the edge knows no rules. */
export interface Gate {
  /** What is known without asking anybody; undefined where somebody must be asked. Charges nothing. */
  foresee(request: GateRequest): Verdict | undefined;
  /**
   * Decides and charges; may hold a throttled request back until its turn comes or its client leaves (CANCELLED). Never
   * rejects.
   *
   * @param waiter aborts when the client leaves; asked only where somebody waits
   */
  decide(request: GateRequest, waiter?: () => AbortSignal): Promise<Verdict>;
  /** A request is refused as another was a moment ago, unasked: counts the refusal, and decides and charges nothing. */
  refusedAlike(request: GateRequest, verdict: Verdict): void;
  /** The request was refused elsewhere: takes its charges back. */
  refund(verdict: Verdict): void;
  /** Takes back what the operation did not use of its reserved cost. */
  settle(verdict: Verdict, actualCost: number): void;
}
