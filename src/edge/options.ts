import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Registry } from 'prom-client';
import type { Authenticator, Viewer } from '../platform/auth/auth.js';
import type { Clock } from '../platform/clock.js';
import type { Gate, RateLimitDecision } from '../platform/gate.js';
import type { Ids } from '../platform/ids.js';
import type { Logger } from '../platform/logging/logger.js';
import type { ForwardingHeader } from './gate/forwarding-headers.js';
import type { RateLimitCheck } from './gate/rate-limit-check.js';
import type { DocumentLimits } from './graphql/document-limits.js';

export { GRAPHQL_PATH } from '../platform/gate.js';

/** What the edge knows about one request, or one operation on a socket. */
export interface EdgeRequest {
  /** Null for an anonymous caller. */
  readonly viewer: Viewer | null;
  readonly correlationId: string;
  /** Writes the correlation id with every line. */
  readonly logger: Logger;
  /** Aborted when the client goes away, or ends the operation on its socket. */
  readonly signal: AbortSignal;
  /** The client's address, as far as proxies can be trusted. */
  readonly ip: string;
  readonly transport: 'http' | 'websocket';
  /** Its rate-limit check. */
  readonly rateLimit: RateLimitCheck;
  /** What the rate-limit check decided; null where nothing was checked yet. */
  readonly decision: RateLimitDecision | null;
  /** What the operation may cost at most; 0 where the request is none. */
  queryCost: number;
}

/**
 * The EdgeRequest of a plain HTTP request; the same object however often it is asked for.
 *
 * @throws PublicError UNAUTHENTICATED on a wrong or expired token
 */
export type OpenRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<EdgeRequest>;

export interface EdgeOptions<Ctx> {
  readonly schema: GraphQLSchema;
  readonly authenticator: Authenticator;
  /**
   * Makes what resolvers get: once for each operation, and once for each event of a subscription, so that
   * loaders never outlive one answer. What it throws is masked as any resolver's error.
   */
  readonly createContext: (request: EdgeRequest) => Ctx | Promise<Ctx>;
  /** Called once a mutation has run, before it is answered; where it throws, so does the mutation. */
  readonly onWritten?: ((request: EdgeRequest) => Promise<void>) | undefined;
  readonly logger: Logger;
  /** Origins besides the server's own whose pages may call the API and open sockets; in development this machine's too. */
  readonly allowedOrigins: readonly string[];
  /** Introspection, and suggestions in errors. */
  readonly development: boolean;
  readonly limits?: Partial<DocumentLimits>;
  readonly sockets?: SocketLimits;
  /** Documents that clients name by id; `only`: no others are taken, but from admins. None by default. */
  readonly persistedDocuments?: { readonly documents: ReadonlyMap<string, string>; readonly only: boolean };
  /** What readiness depends on, by name: resolves when usable. */
  readonly readiness: Readonly<Record<string, () => Promise<void>>>;
  readonly metrics: Registry;
  /**
   * Whether `/metrics` and the details of `/readyz` are on a port of their own, and not on the public one; `readyz` says
   * whether the public one has a `/readyz` at all, then.
   */
  readonly operationsApart?: { readonly readyz: boolean };
  /** Adds plain HTTP routes and hooks, before the edge's own. */
  readonly routes?: (app: FastifyInstance, openRequest: OpenRequest) => void | Promise<void>;
  /** Answers a request for which there is no route by a page, where it returns true; else, and without it, JSON is sent. */
  readonly notFoundPage?: (request: FastifyRequest, reply: FastifyReply) => boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Checks the rate limits of everything but the operational routes; called for each request or operation. Without one all is admitted. */
  readonly gate?: () => Gate;
  /** The proxies whose forwarding headers are trusted; none by default. */
  readonly proxies?: ProxyTrust;
  /** Where a client that met a limit can read about limits. */
  readonly documentationUrl?: string;
}

/** How many WebSockets one process has open at once. */
export interface SocketLimits {
  readonly maxSockets: number;
  /** Of one user, who signed in by whatever credentials. */
  readonly maxSocketsPerUser: number;
  /** From one network, of those that have not signed in. */
  readonly maxSocketsPerNetwork: number;
}

/** Of a network many may be about to sign in: all users behind one address come again at once when a process was replaced. */
export const defaultSocketLimits: SocketLimits = {
  maxSockets: 25_000,
  maxSocketsPerUser: 100,
  maxSocketsPerNetwork: 500,
};

/** See `createClientAddress`. */
export interface ProxyTrust {
  /** CIDRs. */
  readonly trustedProxies: readonly string[];
  readonly forwardedHeader?: ForwardingHeader | undefined;
}
