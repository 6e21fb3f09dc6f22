import type { IncomingHttpHeaders } from 'node:http';
import type { Viewer } from '../../platform/auth/auth.js';
import type { Gate, RateLimitDecision, RateLimitRequest } from '../../platform/gate.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { EdgeRequest } from '../options.js';
import type { ClientAddress } from './client-address.js';
import { RateLimitCheck, rateLimitCaller } from './rate-limit-check.js';

/** What a request is of, as it came. */
export interface RequestSource {
  readonly transport: EdgeRequest['transport'];
  readonly viewer: Viewer | null;
  readonly correlationId: string;
  readonly address: ClientAddress;
  readonly gate: Gate;
  readonly endpoints: RateLimitRequest['endpoints'];
  readonly logger: Logger;
  /** Gets what to call when the client leaves, or the operation or its socket ends. */
  onLeave(leave: () => void): void;
}

/**
 * One request, or one operation on a socket. Its logger and its abort signal are made when they are first used: most
 * requests never use them.
 */
export class LazyRequest implements EdgeRequest {
  readonly transport: EdgeRequest['transport'];
  readonly viewer: Viewer | null;
  readonly correlationId: string;
  readonly rateLimit: RateLimitCheck;
  queryCost = 0;
  private ownLogger: Logger | undefined;
  private controller: AbortController | undefined;

  constructor(private readonly source: RequestSource) {
    const { transport, viewer, correlationId, address, gate, endpoints } = source;
    this.transport = transport;
    this.viewer = viewer;
    this.correlationId = correlationId;
    const caller = rateLimitCaller(viewer, address.network);
    this.rateLimit = new RateLimitCheck(gate, caller, endpoints, () => this.signal);
  }

  get ip(): string {
    return this.source.address.ip;
  }

  get decision(): RateLimitDecision | null {
    return this.rateLimit.decision ?? null;
  }

  get logger(): Logger {
    this.ownLogger ??= this.source.logger.child({ correlationId: this.correlationId });
    return this.ownLogger;
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      const controller = new AbortController();
      this.controller = controller;
      this.source.onLeave(() => controller.abort());
    }
    return this.controller.signal;
  }
}

const isSane = (id: unknown): id is string => typeof id === 'string' && /^[\x21-\x7e]{1,128}$/.test(id);

/** The client's own id for a chain of requests, where it gives a sane one: in headers or connection parameters. */
export function givenCorrelationId(from: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const given = from?.['x-correlation-id'] ?? from?.['x-request-id'];
  return isSane(given) ? given : undefined;
}

/** The client's own id for a chain of requests, else a new one. */
export const correlationIdOf = (headers: IncomingHttpHeaders, ids: Ids): string =>
  givenCorrelationId(headers) ?? ids.next();

/** The id of one operation on a socket: never that of another operation, unless the client repeats its own id. */
export function operationCorrelationId(socketId: string | undefined, operationId: string, ids: Ids): string {
  const id = socketId && `${socketId}/${operationId}`;
  return isSane(id) ? id : ids.next();
}
