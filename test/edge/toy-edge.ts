import { buildSchema, GraphQLError, type GraphQLSchema } from 'graphql';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createEdge, type Edge, type EdgeOptions, type EdgeRequest } from '../../src/edge/index.js';
import { createAuthenticator, signToken } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { PublicError } from '../../src/platform/errors.js';
import { uuidV7Ids } from '../../src/platform/ids.js';

export const SECRET = 'a secret that is long enough for HS256';

export interface ToyContext {
  readonly request: EdgeRequest;
}

/** Everything that the tests look at from the inside. */
export interface Toy {
  readonly edge: Edge;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly socketUrl: string;
  readonly metrics: Registry;
  readonly logLines: Record<string, unknown>[];
  /** The order in which mutations began and ended. */
  readonly journal: string[];
  readonly requests: EdgeRequest[];
  token(expiresInSeconds?: number): Promise<string>;
}

const sdl = `
  scalar Even
  enum Colour { RED GREEN }
  type Query {
    hello(name: String): String!
    viewer: String
    number(value: Int! = 5): Int
    even(value: Even, colour: Colour): String
    node: Node!
    items(first: Int, last: Int): ItemConnection!
    secret: String
    refused: String
    teapot: String
    broken: String!
    lost(first: Int): ItemConnection
    untilGone: String
    slow: String
    unstorable: String
  }
  type Node { name: String self: Node! list: [Node!]! tags: [String!]! }
  type ItemConnection { edges: [ItemEdge!]! totalCount: Int! }
  type ItemEdge { node: Node! }
  type Mutation { step(name: String!): String! }
  type Subscription { count(to: Int!): Int! forever: Int! flood: String! fails: Int! expired: Int! }
`;

const node = { name: 'node', tags: ['a', 'b'] };

function toySchema(journal: string[], slow: { release: Promise<void> }): GraphQLSchema {
  const schema = buildSchema(sdl);
  const resolvers: Record<string, Record<string, object>> = {
    Query: {
      hello: { resolve: (_: unknown, { name }: { name?: string }) => `Hello ${name ?? 'you'}` },
      viewer: { resolve: (_: unknown, __: unknown, { request }: ToyContext) => request.viewer?.userId },
      number: { resolve: (_: unknown, { value }: { value: number }) => value },
      even: { resolve: (_: unknown, { value }: { value: number }) => String(value) },
      node: { resolve: () => node },
      items: {
        resolve: (_: unknown, { first }: { first?: number }) => ({
          edges: Array.from({ length: first ?? 2 }, () => ({ node })),
          totalCount: 2,
        }),
      },
      secret: { resolve: () => Promise.reject(new Error('password=hunter2')) },
      refused: { resolve: () => Promise.reject(new PublicError('FORBIDDEN', 'Not yours')) },
      teapot: {
        resolve: () => {
          throw new GraphQLError('I am a teapot', { extensions: { code: 'TEAPOT' } });
        },
      },
      broken: { resolve: () => null },
      lost: { resolve: () => Promise.reject(new Error('nobody knows how late')) },
      untilGone: {
        resolve: (_: unknown, __: unknown, { request }: ToyContext) =>
          new Promise((resolve) =>
            request.signal.addEventListener('abort', () => resolve(journal.push('gone'))),
          ),
      },
      slow: { resolve: () => slow.release.then(() => 'done') },
      unstorable: {
        resolve: () => {
          throw Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), {
            code: '22021',
          });
        },
      },
    },
    Node: { self: { resolve: () => node }, list: { resolve: () => [node] } },
    Mutation: {
      step: {
        async resolve(_: unknown, { name }: { name: string }) {
          journal.push(`${name} begins`);
          await Promise.resolve();
          journal.push(`${name} ends`);
          return name;
        },
      },
    },
    Subscription: {
      count: {
        async *subscribe(_: unknown, { to }: { to: number }) {
          for (let count = 1; count <= to; count += 1) yield { count };
        },
      },
      forever: {
        async *subscribe(_: unknown, __: unknown, { request }: ToyContext) {
          yield { forever: 1 };
          await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
          journal.push('forever ended');
        },
      },
      flood: {
        async *subscribe() {
          const flood = 'x'.repeat(100_000);
          while (true) {
            await new Promise((resolve) => setImmediate(resolve));
            yield { flood };
          }
        },
      },
      fails: {
        async *subscribe() {
          yield { fails: 1 };
          throw new Error('password=hunter2');
        },
      },
      expired: {
        subscribe: () => Promise.reject(new PublicError('CURSOR_EXPIRED', 'Start again')),
      },
    },
  };
  const types = schema.getTypeMap();
  for (const [typeName, fields] of Object.entries(resolvers)) {
    const type = types[typeName];
    if (!type || !('getFields' in type)) throw new Error(`no type ${typeName}`);
    for (const [name, behaviour] of Object.entries(fields))
      Object.assign(type.getFields()[name] ?? {}, behaviour);
  }
  Object.assign(types.Even ?? {}, {
    parseValue: readEven,
    parseLiteral: ({ value }: { value: string }) => readEven(Number(value)),
  });
  return schema;
}

function readEven(value: unknown): number {
  if (typeof value === 'number' && value % 2 === 0) return value;
  throw new TypeError('Even cannot be odd');
}

/** An edge on a free port, with a schema that can do everything the edge must cope with. */
export async function startToy(
  options: Partial<EdgeOptions<ToyContext>> & { slow?: { release: Promise<void> } } = {},
): Promise<Toy> {
  const { slow = { release: Promise.resolve() }, ...overrides } = options;
  const logLines: Record<string, unknown>[] = [];
  const journal: string[] = [];
  const requests: EdgeRequest[] = [];
  const metrics = new Registry();
  const edge = await createEdge<ToyContext>({
    schema: toySchema(journal, slow),
    authenticator: createAuthenticator({ secret: SECRET }, systemClock),
    createContext(request) {
      requests.push(request);
      return { request };
    },
    logger: pino({ level: 'debug' }, { write: (line) => logLines.push(JSON.parse(line)) }),
    allowedOrigins: ['https://app.example'],
    development: false,
    readiness: {},
    metrics,
    clock: systemClock,
    ids: uuidV7Ids(systemClock),
    ...overrides,
  });
  const url = await edge.listen({ host: '127.0.0.1', port: 0 });
  const token = (expiresInSeconds = 60) =>
    signToken(SECRET, { userId: 'alice', roles: ['user'], plan: 'pro', expiresInSeconds });
  return {
    edge,
    url,
    socketUrl: `${url.replace('http', 'ws')}/graphql`,
    metrics,
    logLines,
    journal,
    requests,
    token,
  };
}

export interface GraphQLBody {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: { message: string; path?: unknown; extensions: Record<string, unknown> }[];
}

/** Posts a document; `raw` replaces the whole body. */
export async function post(
  toy: Pick<Toy, 'url'>,
  query: string,
  options: {
    variables?: object;
    headers?: Record<string, string>;
    operationName?: string;
    raw?: string;
  } = {},
): Promise<{ status: number; headers: Headers; body: GraphQLBody }> {
  const { variables, operationName, headers, raw } = options;
  const response = await fetch(`${toy.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: raw ?? JSON.stringify({ query, variables, operationName }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as GraphQLBody };
}
