import type { Viewer } from '../../platform/auth.js';
import { GRAPHQL_PATH } from '../options.js';
import {
  type Gate,
  type GateCaller,
  type GateReading,
  type GateRequest,
  LEVELS,
  type Verdict,
} from './gate.js';

/** Every GraphQL operation passes as this endpoint, on whichever transport it came. */
export const OPERATION_ENDPOINT = `POST ${GRAPHQL_PATH}`;

const NOTHING_DECIDED: Verdict = {
  outcome: 'ALLOW',
  readings: [],
  decisive: null,
  retryAfterMs: null,
  impossible: false,
  budget: null,
  decidedBy: 'none',
  receipt: null,
};

/** Where no gate stands, everything passes. */
export const openGate: Gate = {
  foresee: () => NOTHING_DECIDED,
  decide: () => Promise.resolve(NOTHING_DECIDED),
  refusedAlike: () => undefined,
  refund: () => undefined,
  settle: () => undefined,
};

/** Something did not pass the gate: it was refused, and the answer is 429; or its client left meanwhile (CANCELLED). */
export class Rejected extends Error {
  /** @param queryCost what the operation might have cost; null where nobody knew yet */
  constructor(
    readonly verdict: Verdict,
    readonly queryCost: number | null = null,
  ) {
    super('rejected at the gate');
    this.name = 'Rejected';
  }
}

export function gateCaller(viewer: Viewer | null, network: string): GateCaller {
  return {
    userId: viewer?.userId ?? null,
    plan: viewer?.plan ?? null,
    apiKeyId: viewer?.apiKeyId ?? null,
    network,
  };
}

/** Endpoints with a route are few; those without are the clients' invention. */
const KEPT_ENDPOINTS = 1_000;
/** What wrong credentials are charged to. */
export const SIGN_IN_ENDPOINT = 'login';

type Endpoints = GateRequest['endpoints'];
const arrivals = { believed: new Map<string, Endpoints>(), disbelieved: new Map<string, Endpoints>() };

/** Where a request arrives; `disbelieved`: showing credentials that are wrong. */
export function arrivalAt(endpoint: string, credentials: keyof typeof arrivals): Endpoints {
  const kept = arrivals[credentials];
  const known = kept.get(endpoint);
  if (known) return known;
  const made = new Map([[endpoint, 1]]);
  if (credentials === 'disbelieved') made.set(SIGN_IN_ENDPOINT, 1);
  if (kept.size < KEPT_ENDPOINTS) kept.set(endpoint, made);
  return made;
}

/** Wrong credentials alone, held against their sender. */
export const failedSignIn = (network: string): GateRequest => ({
  caller: gateCaller(null, network),
  endpoints: SIGN_IN_ALONE,
  queryCost: null,
  part: 'operation',
});
const SIGN_IN_ALONE: Endpoints = new Map([[SIGN_IN_ENDPOINT, 1]]);

/**
 * One request's way through the gate, and no other's: its charges are made once, together where that can be, and
 * taken back where a later part is refused.
 */
export class Passage {
  private arrived: Verdict | undefined;
  private operated: Verdict | undefined;

  /**
   * @param arrivesAt its endpoints as long as no operation is known, see `arrivalAt`
   * @param waiter aborts when the client leaves; asked for only when the gate holds the request back
   */
  constructor(
    private readonly gate: Gate,
    private readonly caller: GateCaller,
    private readonly arrivesAt: Endpoints,
    private readonly waiter: () => AbortSignal,
  ) {}

  /** All that was decided so far. */
  get verdict(): Verdict | undefined {
    const { arrived, operated } = this;
    return arrived && operated ? merged(arrived, operated) : (operated ?? arrived);
  }

  /** @throws Rejected where this process knows already that the request is */
  foresee(): void {
    const verdict = this.gate.foresee(this.question('arrival', this.arrivesAt, null));
    if (verdict) passOrThrow(verdict);
  }

  /** Charges what needs no operation, once. @throws Rejected */
  async arrive(): Promise<void> {
    if (this.verdict) return;
    this.arrived = await this.gate.decide(this.question('arrival', this.arrivesAt, null), this.waiter);
    passOrThrow(this.arrived);
  }

  /**
   * Charges an operation, together with the arrival where that was not charged yet.
   *
   * @param fields its root fields, with how often each is mentioned
   * @throws Rejected; nothing of a refused request stays charged then. Where its client left, an arrival that was charged
   *   does: its document was read meanwhile
   */
  async operate(fields: ReadonlyMap<string, number>, cost: number): Promise<void> {
    // Let in without its counters, it is judged anew as a whole: now rules of its operation may refuse just that.
    if (this.arrived?.decidedBy === 'unreachable') this.forget(this.arrived);
    const { arrived } = this;
    const question = arrived
      ? this.question('operation', fields, cost)
      : this.question('whole', new Map([...this.arrivesAt, ...fields]), cost);
    this.operated = await this.gate.decide(question, this.waiter);
    if (arrived && this.operated.outcome === 'REJECT') this.gate.refund(arrived);
    passOrThrow(this.operated, cost);
  }

  private forget(arrived: Verdict): void {
    this.gate.refund(arrived);
    this.arrived = undefined;
  }

  /** Gives back what the operation did not use of its cost. */
  settle(actualCost: number): void {
    if (this.operated?.budget) this.gate.settle(this.operated, actualCost);
  }

  private question(part: GateRequest['part'], endpoints: Endpoints, queryCost: number | null): GateRequest {
    return { caller: this.caller, endpoints, queryCost, part };
  }
}

function passOrThrow(verdict: Verdict, queryCost: number | null = null): void {
  if (!passes(verdict)) throw new Rejected(verdict, queryCost);
}

const passes = ({ outcome }: Verdict): boolean => outcome === 'ALLOW' || outcome === 'DEGRADE';

/** The arrival's verdict and that of its operation, as one. */
function merged(arrived: Verdict, operated: Verdict): Verdict {
  if (!passes(operated)) return operated;
  const stricter = (operated.decisive?.remaining ?? Infinity) < (arrived.decisive?.remaining ?? Infinity);
  return {
    ...(stricter ? operated : arrived),
    outcome: [arrived.outcome, operated.outcome].includes('DEGRADE') ? 'DEGRADE' : 'ALLOW',
    readings: [...operated.readings, ...arrived.readings].toSorted((a, b) => rankOf(a) - rankOf(b)),
    budget: operated.budget,
  };
}

const rankOf = ({ tier }: GateReading): number => LEVELS.indexOf(tier.level);
