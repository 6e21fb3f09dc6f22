import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { RateLimitDecision, RateLimitRequest } from '../../src/platform/gate.js';
import { decision, handMadeGate, reading, rejected } from './hand-made-gate.js';
import { startToy, type Toy } from './toy-edge.js';

/** A toy edge behind a gate that decides as a test says. */
export interface GatedToy {
  readonly url: string;
  readonly socketUrl: string;
  readonly gate: ReturnType<typeof handMadeGate>;
  /** What the gate answers for the rest of the test; at first it admits everything. */
  decide: (request: RateLimitRequest) => RateLimitDecision;
  /** Which parts of requests the gate was asked about since its calls were cleared, in order. */
  partsAsked(): RateLimitRequest['part'][];
  /** Headers of a network of the test's own: what another test did is not held against it. */
  readonly somebody: Readonly<Record<string, string>>;
}

const spent = reading({ rule: 'query_cost', counts: 'query_cost', limit: 100 }, { remaining: 4 });

/** Admits operations that have a budget. */
export const admitOperations = (): RateLimitDecision => decision({ readings: [spent] });

/** Lets requests arrive, and refuses their operations: of a budget of 100, only 4 are left. */
export const refuseOperations = ({ part }: RateLimitRequest): RateLimitDecision =>
  part === 'request' ? decision() : rejected(spent);

/** An operation that reads much, and whose last field fails after all that it read. */
export const NULLED = '{ hello lost(first: 9) { edges { node { name } } } }';

/** What the answer to it says, on either transport: nothing comes back. */
export const NULLED_ANSWER = {
  data: { hello: 'Hello you', lost: null },
  extensions: { cost: { requestedQueryCost: 21, actualQueryCost: 21 } },
};

/** The toy of all tests of a file, to be asked for at its top. */
export function gatedToy(): GatedToy {
  let toy: Toy;
  let networks = 0;
  const admitAll = () => decision();
  const gate = handMadeGate((request) => gated.decide(request));
  const gated: GatedToy = {
    get url() {
      return toy.url;
    },
    get socketUrl() {
      return toy.socketUrl;
    },
    gate,
    decide: admitAll,
    partsAsked: () => gate.decide.mock.calls.map(([{ part }]) => part),
    get somebody() {
      return { 'x-forwarded-for': `198.51.100.${networks}` };
    },
  };
  beforeAll(async () => {
    toy = await startToy({ gate: () => gate, proxies: { trustedProxies: ['127.0.0.1/32'] } });
  });
  afterAll(() => toy.edge.close());
  beforeEach(() => {
    gate.decide.mockClear();
    gated.decide = admitAll;
    networks += 1;
  });
  return gated;
}
