import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Authenticator, Viewer } from '../../platform/auth/auth.js';
import type { Gate, RateLimitDecision } from '../../platform/gate.js';
import type { Logger } from '../../platform/logging/logger.js';
import { SHORTLY, unavailability } from '../../platform/unavailable.js';
import { limitHeaders, rejectionBody } from '../gate/answer.js';
import { authenticateCaller } from '../gate/authentication.js';
import type { AddressOf, ClientAddress } from '../gate/client-address.js';
import { RateLimitCheck, Rejected, rateLimitCaller } from '../gate/rate-limit-check.js';
import { endpointOf } from '../gate/request-endpoint.js';
import type { MayCall } from '../http/cors.js';
import { behindAnswers } from '../http/open-answers.js';
import { GRAPHQL_PATH } from '../options.js';
import type { FullBy, OpenSockets } from './open-sockets.js';

/** By name in lower case. */
type Headers = Readonly<Record<string, string>>;
type Upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => void;

const UNAVAILABLE = '503 Service Unavailable';
/** For a connection on which nothing moves. */
const IDLE_MS = 60_000;
const TOO_MANY = '429 Too Many Requests';
const AGAIN_SHORTLY: Headers = { 'retry-after': String(SHORTLY.retryAfterSeconds) };

/** Who asks for a socket, and what its answer says of their limits. */
interface Admitted {
  /** Null where the upgrade shows no valid credentials: the connection's parameters may sign in. */
  readonly viewer: Viewer | null;
  readonly address: ClientAddress;
  readonly limits: Headers;
}

/**
 * Makes the handler of a server's `upgrade` event: a request for a socket is accepted, or answered in plain HTTP. Its rate
 * limits are checked first, and whatever the answer is, it has their headers.
 */
export function createUpgrade(deps: {
  readonly authenticator: Authenticator;
  readonly gate: () => Gate;
  readonly addressOf: AddressOf;
  readonly documentationUrl: string;
  readonly mayCall: MayCall;
  readonly logger: Logger;
  readonly closing: () => boolean;
  readonly openSockets: Pick<OpenSockets, 'fullBy'>;
  readonly accept: (...upgrade: [...Parameters<Upgrade>, admitted: Admitted]) => void;
  /** 60 s by default. */
  readonly idleMs?: number;
}): Upgrade {
  const { addressOf, documentationUrl, logger, closing, idleMs = IDLE_MS } = deps;

  return (request, stream, head) => {
    stream.on('error', cut);
    // Node no longer watches it, and a client that reads no answer would keep it for good. A WebSocket sets another time.
    request.socket.setTimeout(idleMs).on('timeout', cut);
    behindAnswers(request.socket, () => upgrade(request, stream, head));
  };

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    // An earlier answer may have ended the connection.
    if (!stream.writable) return;
    if (closing()) {
      reject(stream, UNAVAILABLE, AGAIN_SHORTLY);
      return;
    }
    const address = addressOf(request.socket.remoteAddress, request.headers);
    checkRateLimit(request, address).then(
      (admitted) => {
        const { viewer, limits } = admitted;
        // During the check the client may have left, and the server may have begun to close.
        if (stream.destroyed) return;
        if (closing()) return reject(stream, UNAVAILABLE, { ...limits, ...AGAIN_SHORTLY });
        const refusal = refusalOf(request);
        if (refusal) return reject(stream, refusal, limits);
        const full = deps.openSockets.fullBy(viewer, address.network);
        if (full) rejectFull(stream, full, limits);
        else deps.accept(request, stream, head, admitted);
      },
      (error: unknown) => {
        if (error instanceof Rejected) return rejectAtGate(stream, error.decision, documentationUrl);
        const away = unavailability(error);
        logger.error({ err: error }, away ? 'a dependency is away' : 'unexpected error at an upgrade');
        if (away) reject(stream, UNAVAILABLE, { 'retry-after': String(away.retryAfterSeconds) });
        else reject(stream, '500 Internal Server Error');
      },
    );
  }

  function refusalOf(request: IncomingMessage): string | undefined {
    if (pathOf(request) !== GRAPHQL_PATH) return '404 Not Found';
    return originAllowed(request, deps.mayCall) ? undefined : '403 Forbidden';
  }

  /**
   * The connection's parameters may authenticate the socket later; an upgrade with credentials is charged to their user.
   *
   * @throws Rejected
   */
  async function checkRateLimit(request: IncomingMessage, address: ClientAddress): Promise<Admitted> {
    const endpoint = endpointOf('GET', undefined, pathOf(request));
    const { viewer, endpoints } = await authenticateCaller(request.headers, address, endpoint, deps);
    const caller = rateLimitCaller(viewer, address.network);
    const rateLimit = new RateLimitCheck(deps.gate(), caller, endpoints, () => closingOf(request.socket));
    await rateLimit.chargeRequest();
    return { viewer, address, limits: rateLimit.decision ? limitHeaders(rateLimit.decision) : {} };
  }
}

/**
 * Destroys the socket that it is a listener of: one function for all, since what listens to a socket stays for as long as that
 * is open, and a closure would keep the upgrade's request with it.
 */
function cut(this: Duplex): void {
  this.destroy();
}

/** Aborts when the socket is closed. */
function closingOf(socket: Duplex): AbortSignal {
  const closing = new AbortController();
  if (socket.destroyed) closing.abort();
  else socket.once('close', () => closing.abort());
  return closing.signal;
}

/**
 * Whether an upgrade may come from where it says it comes from. Browsers always send `Origin`, so another
 * site's page cannot open a socket with a visitor's credentials; other clients send none.
 */
function originAllowed({ headers }: IncomingMessage, mayCall: MayCall): boolean {
  const { origin, host } = headers;
  if (origin === undefined || mayCall(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

function rejectAtGate(stream: Duplex, decision: RateLimitDecision, documentationUrl: string): void {
  const body = JSON.stringify(rejectionBody(decision, documentationUrl));
  reject(stream, TOO_MANY, limitHeaders(decision), body);
}

/** Says 503 where others have the process's places, and 429 where the client's own sockets have. */
function rejectFull(stream: Duplex, full: FullBy, limits: Headers): void {
  const whose = { process: 'This process', user: 'This user', network: 'This network' }[full];
  const error = { code: 'TOO_MANY_SOCKETS', message: `${whose} has too many open sockets`, path: null };
  const headers = { ...limits, ...AGAIN_SHORTLY };
  reject(stream, full === 'process' ? UNAVAILABLE : TOO_MANY, headers, JSON.stringify({ error }));
}

function reject(stream: Duplex, status: string, headers: Headers = {}, body = ''): void {
  const lines = Object.entries({
    ...headers,
    ...(body && { 'content-type': 'application/json; charset=utf-8' }),
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  stream.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`, () => stream.destroy());
}
