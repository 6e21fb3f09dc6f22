import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Viewer } from '../../platform/auth/auth.js';
import { PublicError } from '../../platform/errors.js';
import { type Gate, OPERATION_ENDPOINT, type RateLimitRequest } from '../../platform/gate.js';
import type { Logger } from '../../platform/logging/logger.js';
import { type EdgeRequest, GRAPHQL_PATH, type OpenRequest } from '../options.js';
import type { AddressOf, ClientAddress } from './client-address.js';
import { LazyRequest } from './edge-request.js';
import { failedSignIn, Rejected, requestEndpoints } from './rate-limit-check.js';
import { endpointOf } from './request-endpoint.js';

/** A plain HTTP request as far as it is known before its route runs. */
export interface AuthenticatedRequest {
  readonly request: EdgeRequest;
  /** Why its credentials were not accepted; the request counts as anonymous until its route opens it. */
  readonly authenticationError: unknown;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Kept here so that a request is authenticated once. */
    authentication: Promise<AuthenticatedRequest> | null;
  }
}

/** What credentials are checked with. */
interface Checks {
  readonly authenticator: Authenticator;
  readonly gate: () => Gate;
}

export type RequestAuthentication = ReturnType<typeof createRequestAuthentication>;

/** Authenticates each plain HTTP request of a server once. */
export function createRequestAuthentication(
  app: FastifyInstance,
  deps: Checks & {
    readonly addressOf: AddressOf;
    readonly logger: Logger;
  },
) {
  const { gate, addressOf, logger } = deps;
  app.decorateRequest('authentication', null);

  /** @throws Rejected where too many wrong credentials came from its network */
  function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<AuthenticatedRequest> {
    request.authentication ??= authenticateNew(request, reply);
    return request.authentication;
  }

  async function authenticateNew(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<AuthenticatedRequest> {
    const address = addressOf(request.socket.remoteAddress, request.headers);
    const endpoint = endpointOfRequest(request);
    const { viewer, authenticationError, endpoints } = await authenticateCaller(
      request.headers,
      address,
      endpoint,
      deps,
    );
    const opened = new LazyRequest({
      transport: 'http',
      viewer,
      correlationId: request.id,
      address,
      gate: gate(),
      endpoints,
      logger,
      onLeave(leave) {
        if (reply.raw.destroyed) leave();
        else reply.raw.once('close', () => reply.raw.writableFinished || leave());
      },
    });
    return { request: opened, authenticationError };
  }

  const openRequest: OpenRequest = async (request, reply) => {
    const { request: opened, authenticationError } = await authenticate(request, reply);
    if (authenticationError === undefined) return opened;
    throw authenticationError;
  };

  return { authenticate, openRequest };
}

/** Operations are one endpoint, whichever method brings them. */
const endpointOfRequest = ({ method, routeOptions, url }: FastifyRequest): string =>
  routeOptions.url === GRAPHQL_PATH
    ? OPERATION_ENDPOINT
    : endpointOf(method, routeOptions.config.namedAs ?? routeOptions.url, url);

/**
 * Whom a request's headers authenticate, and what it is charged to. Where its credentials are not accepted, it is
 * anonymous and the error is returned.
 *
 * @throws Rejected where too many wrong credentials came from its network
 */
export async function authenticateCaller(
  headers: IncomingHttpHeaders,
  address: ClientAddress,
  endpoint: string,
  checks: Checks,
): Promise<{
  readonly viewer: Viewer | null;
  readonly authenticationError: unknown;
  readonly endpoints: RateLimitRequest['endpoints'];
}> {
  const credentials = credentialsOf(headers);
  refuseGuess(credentials, address, checks);
  let viewer: Viewer | null = null;
  let authenticationError: unknown;
  try {
    viewer = await checks.authenticator.authenticate(credentials);
  } catch (error) {
    authenticationError = error;
  }
  const validity = isWrong(authenticationError, credentials) ? 'wrong' : 'valid';
  return { viewer, authenticationError, endpoints: requestEndpoints(endpoint, validity) };
}

/** Credentials that need a lookup are refused without one where their network just sent too many wrong ones. @throws Rejected */
export function refuseGuess(
  credentials: string | undefined,
  { network }: ClientAddress,
  { authenticator, gate }: Checks,
): void {
  if (!authenticator.mustLookUp(credentials)) return;
  const decision = gate().decideLocally(failedSignIn(network));
  if (decision?.outcome === 'REJECT') throw new Rejected(decision);
}

/** A token or an API key, in either header. */
export function credentialsOf(headers: IncomingMessage['headers']): string | undefined {
  const key = headers['x-api-key'];
  return headers.authorization ?? (typeof key === 'string' ? `Bearer ${key}` : undefined);
}

/**
 * Whether credentials were found wrong, rather than impossible to check for now. Those of schemes other than `Bearer` do
 * not count as guesses.
 */
export const isWrong = (authenticationError: unknown, credentials: string | undefined): boolean =>
  isUnauthenticated(authenticationError) && /^bearer /i.test(credentials ?? '');

export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof PublicError && error.code === 'UNAUTHENTICATED';
