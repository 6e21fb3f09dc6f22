import type { Viewer } from '../../platform/auth/auth.js';
import {
  type Gate,
  inPrecedence,
  NOTHING_LIMITED,
  type Outcome,
  type RateLimitCaller,
  type RateLimitDecision,
  type RateLimitRequest,
  SIGN_IN_ENDPOINT,
} from '../../platform/gate.js';

/** Admits everything: for an edge without limits. */
export const openGate: Gate = {
  decideLocally: () => NOTHING_LIMITED,
  decide: () => Promise.resolve(NOTHING_LIMITED),
  refund: () => undefined,
  settle: () => undefined,
};

/** A rate limit refused something, and the answer is 429; or its client left while it waited (CANCELLED). */
export class Rejected extends Error {
  /** @param queryCost what the operation might have cost; null where it was not known yet */
  constructor(
    readonly decision: RateLimitDecision,
    readonly queryCost: number | null = null,
  ) {
    super('rejected at the gate');
    this.name = 'Rejected';
  }
}

export function rateLimitCaller(viewer: Viewer | null, network: string): RateLimitCaller {
  return {
    userId: viewer?.userId ?? null,
    plan: viewer?.plan ?? null,
    apiKeyId: viewer?.apiKeyId ?? null,
    network,
  };
}

/** Endpoints with a route are few; those without are made up by clients. */
const KEPT_ENDPOINTS = 1_000;

type Endpoints = RateLimitRequest['endpoints'];
const knownEndpoints = { valid: new Map<string, Endpoints>(), wrong: new Map<string, Endpoints>() };

/** What a request to an endpoint is charged to: with wrong credentials, to a failed sign-in too. */
export function requestEndpoints(endpoint: string, credentials: keyof typeof knownEndpoints): Endpoints {
  const kept = knownEndpoints[credentials];
  const known = kept.get(endpoint);
  if (known) return known;
  const made = new Map([[endpoint, 1]]);
  if (credentials === 'wrong') made.set(SIGN_IN_ENDPOINT, 1);
  if (kept.size < KEPT_ENDPOINTS) kept.set(endpoint, made);
  return made;
}

/** By the root fields of an operation, which lives as long as its document is kept. */
const wholes = new WeakMap<Endpoints, { readonly request: Endpoints; readonly whole: Endpoints }>();

/** What a request and its operation are charged to together. */
function wholeOf(request: Endpoints, fields: Endpoints): Endpoints {
  const known = wholes.get(fields);
  if (known?.request === request) return known.whole;
  const whole = new Map([...request, ...fields]);
  wholes.set(fields, { request, whole });
  return whole;
}

/** A failed sign-in alone, charged to the network that it came from. */
export const failedSignIn = (network: string): RateLimitRequest => ({
  caller: rateLimitCaller(null, network),
  endpoints: SIGN_IN_ALONE,
  queryCost: null,
  part: 'operation',
});
const SIGN_IN_ALONE: Endpoints = new Map([[SIGN_IN_ENDPOINT, 1]]);

/**
 * The rate-limit check of one request: it is charged once, its request and its operation together where that can be, and
 * refunded where a later part is refused.
 */
export class RateLimitCheck {
  private ofRequest: RateLimitDecision | undefined;
  private ofOperation: RateLimitDecision | undefined;

  /**
   * @param endpoints those of the request without its operation, see `requestEndpoints`
   * @param leaving aborts when the client leaves; called only when the gate makes the request wait
   */
  constructor(
    private readonly gate: Gate,
    private readonly caller: RateLimitCaller,
    private readonly endpoints: Endpoints,
    private readonly leaving: () => AbortSignal,
  ) {}

  /** All that was decided so far. */
  get decision(): RateLimitDecision | undefined {
    const { ofRequest, ofOperation } = this;
    return ofRequest && ofOperation ? merged(ofRequest, ofOperation) : (ofOperation ?? ofRequest);
  }

  /** Charges nothing. @throws Rejected where this process knows without asking that the request is refused */
  refuseKnown(): void {
    const decision = this.gate.decideLocally(this.ask('request', this.endpoints, null));
    if (decision) admitOrThrow(decision);
  }

  /** Charges what needs no operation, once. @throws Rejected */
  async chargeRequest(): Promise<void> {
    if (this.decision) return;
    this.ofRequest = await this.gate.decide(this.ask('request', this.endpoints, null), this.leaving);
    admitOrThrow(this.ofRequest);
  }

  /**
   * Charges an operation, together with the request where that was not charged yet.
   *
   * @param fields its root fields, with how often each is mentioned
   * @throws Rejected; nothing of a refused request stays charged then. Where its client left, a request that was charged
   *   stays charged: its document was read meanwhile
   */
  async chargeOperation(fields: ReadonlyMap<string, number>, cost: number): Promise<void> {
    // A request that was admitted without counters is decided again as a whole: rules of its operation may refuse it now.
    const isAgain = this.ofRequest?.decidedBy === 'unreachable';
    if (this.ofRequest && isAgain) {
      this.gate.refund(this.ofRequest);
      this.ofRequest = undefined;
    }
    const { ofRequest } = this;
    const asked = ofRequest
      ? this.ask('operation', fields, cost)
      : { ...this.ask('whole', wholeOf(this.endpoints, fields), cost), ...(isAgain && { isAgain }) };
    this.ofOperation = await this.gate.decide(asked, this.leaving);
    if (ofRequest && this.ofOperation.outcome === 'REJECT') this.gate.refund(ofRequest);
    admitOrThrow(this.ofOperation, cost);
  }

  /**
   * Nothing more is charged or refunded: of what was decided the outcome alone is kept, for an operation that goes on for
   * hours.
   */
  keepOutcome(): void {
    const { decision } = this;
    this.ofRequest = undefined;
    if (decision) this.ofOperation = OUTCOME_ALONE[decision.outcome];
  }

  /** Refunds what the operation did not use of its cost. */
  settle(actualCost: number): void {
    if (this.ofOperation?.budget) this.gate.settle(this.ofOperation, actualCost);
  }

  private ask(
    part: RateLimitRequest['part'],
    endpoints: Endpoints,
    queryCost: number | null,
  ): RateLimitRequest {
    return { caller: this.caller, endpoints, queryCost, part };
  }
}

const outcomeAlone = (outcome: Outcome): RateLimitDecision => ({ ...NOTHING_LIMITED, outcome });
const OUTCOME_ALONE: Readonly<Record<Outcome, RateLimitDecision>> = {
  ALLOW: outcomeAlone('ALLOW'),
  DEGRADE: outcomeAlone('DEGRADE'),
  REJECT: outcomeAlone('REJECT'),
  CANCELLED: outcomeAlone('CANCELLED'),
};

function admitOrThrow(decision: RateLimitDecision, queryCost: number | null = null): void {
  if (!isAdmitted(decision)) throw new Rejected(decision, queryCost);
}

const isAdmitted = ({ outcome }: RateLimitDecision): boolean => outcome === 'ALLOW' || outcome === 'DEGRADE';

/** The decisions about a request and about its operation, as one. */
function merged(ofRequest: RateLimitDecision, ofOperation: RateLimitDecision): RateLimitDecision {
  if (!isAdmitted(ofOperation)) return ofOperation;
  const stricter =
    (ofOperation.decisive?.remaining ?? Infinity) < (ofRequest.decisive?.remaining ?? Infinity);
  return {
    ...(stricter ? ofOperation : ofRequest),
    outcome: [ofRequest.outcome, ofOperation.outcome].includes('DEGRADE') ? 'DEGRADE' : 'ALLOW',
    readings: inPrecedence([...ofOperation.readings, ...ofRequest.readings]),
    budget: ofOperation.budget,
  };
}
