import { answerParent } from '../../harness/answer-parent.ts';
import { type HttpConnections, openConnections } from '../../harness/http-connections.ts';
import { toMachineMs } from '../../harness/machine-clock.ts';
import { atPace, type Pace } from '../../harness/pace.ts';
import { loadProduct } from '../../harness/product.ts';
import { productEnvironment } from '../../harness/product-app.ts';
import { type Priority, pacedId, pacedPriority, path, requestBody } from './people.ts';

/** What the process of the producers does for the benchmark. */
export type ProducerMethods = typeof methods;

/** Requests that come as fast as they are answered. */
export interface Flood {
  /** Each sends its next request when the last one is answered. */
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** How many people there are: they are sent to in turn. */
  readonly people: number;
}

/** What was answered. */
export interface Flooded {
  /** All that were accepted, the warm-up included. */
  readonly accepted: number;
  /** How long each took that was answered within the measured seconds. */
  readonly tookMs: Float64Array;
}

/** Requests that come at a pace; priorities in turn, as in `pacedPriority`. */
export interface PacedRequests {
  /** Of the measured ones: the number of each, when it was due, and when it was accepted, by `machineMs`. */
  readonly numbers: Uint32Array;
  readonly dueMs: Float64Array;
  readonly acceptedMs: Float64Array;
  /** All that were accepted, the warm-up included. */
  readonly accepted: number;
  readonly lateMs: Float64Array;
}

/** None comes near a limit of its own. */
const producers = 8;

let connections: HttpConnections | undefined;
let headers: readonly Readonly<Record<string, string>>[] = [];

const methods = {
  async open(origin: string, most: number): Promise<void> {
    connections?.close();
    connections = openConnections(origin, most);
    headers = await Promise.all(Array.from({ length: producers }, (_, n) => headersOf(`producer-${n}`)));
  },

  /** @throws when any request is not accepted */
  async flood({ connections: senders, warmUpSeconds, seconds, people }: Flood): Promise<Flooded> {
    const from = performance.now() + warmUpSeconds * 1000;
    const until = from + seconds * 1000;
    const tookMs: number[] = [];
    let begun = 0;
    async function send(): Promise<void> {
      while (performance.now() < until) {
        const n = begun++;
        const startedAt = performance.now();
        await post(n, requestBody(`flood-${n}`, 'medium', n % people, 1), 1);
        const now = performance.now();
        if (now >= from && now < until) tookMs.push(now - startedAt);
      }
    }
    await Promise.all(Array.from({ length: senders }, send));
    return { accepted: begun, tookMs: Float64Array.from(tookMs) };
  },

  /**
   * One request after the other, each to so many people.
   *
   * @returns how long each took, in order
   * @throws when any is not accepted for all of them
   */
  async batches(batch: {
    name: string;
    priority: Priority;
    count: number;
    each: number;
    people: number;
  }): Promise<Float64Array> {
    const { name, priority, count, each, people } = batch;
    const tookMs: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const body = requestBody(`${name}-${n}`, priority, (n * each) % people, each);
      const startedAt = performance.now();
      await post(n, body, each);
      tookMs.push(performance.now() - startedAt);
    }
    return Float64Array.from(tookMs);
  },

  /**
   * @param priority of all of them; absent: in turn
   * @throws when any request is not accepted
   */
  async pace(pace: Pace, people: number, priority?: Priority): Promise<PacedRequests> {
    const { steps, done, lateMs } = await atPace(pace, async (n, dueAt) => {
      await post(n, requestBody(pacedId(n), priority ?? pacedPriority(n), n % people, 1), 1);
      return { n, dueAt, acceptedAt: performance.now() };
    });
    return {
      numbers: Uint32Array.from(steps, ({ n }) => n),
      dueMs: Float64Array.from(steps, ({ dueAt }) => toMachineMs(dueAt)),
      acceptedMs: Float64Array.from(steps, ({ acceptedAt }) => toMachineMs(acceptedAt)),
      accepted: done,
      lateMs: Float64Array.from(lateMs),
    };
  },
};

async function post(n: number, body: string, deliveries: number): Promise<void> {
  if (!connections) throw new Error('no connections are open');
  const answer = await connections.post({ path, headers: headers[n % producers]!, body });
  const queued = answer.status === 202 && JSON.parse(answer.body).notifications_queued;
  if (queued !== deliveries)
    throw new Error(
      `${deliveries} deliveries were asked for and not accepted: ${answer.status} ${answer.body}`,
    );
}

async function headersOf(userId: string): Promise<Readonly<Record<string, string>>> {
  const { signToken } =
    await loadProduct<typeof import('../../../src/platform/auth/auth.js')>('platform/auth/auth.js');
  const { AUTH_SECRET = '' } = productEnvironment('', '');
  const token = await signToken(AUTH_SECRET, {
    userId,
    roles: ['producer'],
    plan: 'enterprise',
    expiresInSeconds: 3600,
  });
  return { 'content-type': 'application/json', authorization: `Bearer ${token}` };
}

answerParent(methods);
