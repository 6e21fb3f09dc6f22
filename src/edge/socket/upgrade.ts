import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Authenticator, Viewer } from '../../platform/auth.js';
import type { Logger } from '../../platform/logger.js';
import { SHORTLY, unavailability } from '../../platform/unavailable.js';
import { limitHeaders, rejectionBody } from '../gate/answer.js';
import type { ClientAddress } from '../gate/client-address.js';
import type { Gate, Verdict } from '../gate/gate.js';
import { arrivalAt, gateCaller, Passage, Rejected } from '../gate/passage.js';
import { endpointOf } from '../gate/request-endpoint.js';
import { credentialsOf, isWrong, refuseGuess } from '../gate/requests.js';
import { behindAnswers } from '../http/open-answers.js';
import type { MayCall } from '../http/origins.js';
import { GRAPHQL_PATH } from '../options.js';
import { originAllowed } from './origin.js';

/** By name in lower case. */
type Headers = Readonly<Record<string, string>>;
type Upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => void;

const UNAVAILABLE = '503 Service Unavailable';
/** For a connection on which nothing moves. */
const IDLE_MS = 60_000;
const AGAIN_SHORTLY: Headers = { 'retry-after': String(SHORTLY.retryAfterSeconds) };

/**
 * Makes what hears a server's `upgrade`: a request for a socket is accepted, or answered in plain HTTP. Whatever the
 * answer is, the request passes the gate before, and the answer has the limits' headers.
 */
export function createUpgrade(deps: {
  readonly authenticator: Authenticator;
  readonly gate: Gate;
  readonly addressOf: (peer: string | undefined, headers: IncomingMessage['headers']) => ClientAddress;
  readonly documentationUrl: string;
  readonly mayCall: MayCall;
  readonly logger: Logger;
  readonly closing: () => boolean;
  readonly accept: (...upgrade: [...Parameters<Upgrade>, address: ClientAddress, limits: Headers]) => void;
  /** 60 s unless told. */
  readonly idleMs?: number;
}): Upgrade {
  const { authenticator, gate, addressOf, documentationUrl, logger, closing, idleMs = IDLE_MS } = deps;

  return (request, stream, head) => {
    stream.on('error', () => stream.destroy());
    // Node watches it no longer, and whoever reads no answer would keep it for good. A WebSocket sets another time.
    request.socket.setTimeout(idleMs, () => stream.destroy());
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
    passGate(request, address).then(
      (limits) => {
        // While it stood at the gate, the client may have left, and the server may have begun to close.
        if (stream.destroyed) return;
        if (closing()) return reject(stream, UNAVAILABLE, { ...limits, ...AGAIN_SHORTLY });
        const refusal = refusalOf(request);
        if (refusal) reject(stream, refusal, limits);
        else deps.accept(request, stream, head, address, limits);
      },
      (error: unknown) => {
        if (error instanceof Rejected) return rejectAtGate(stream, error.verdict, documentationUrl);
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
   * Whose the socket is its parameters say later; one who says so already is counted as himself.
   *
   * @returns the limits' headers
   * @throws Rejected
   */
  async function passGate(request: IncomingMessage, address: ClientAddress): Promise<Headers> {
    const credentials = credentialsOf(request.headers);
    refuseGuess(credentials, address, deps);
    let viewer: Viewer | null = null;
    let disbelief: unknown;
    try {
      viewer = await authenticator.authenticate(credentials);
    } catch (error) {
      disbelief = error;
    }
    const leaving = new AbortController();
    request.socket.once('close', () => leaving.abort());
    const caller = gateCaller(viewer, address.network);
    const arrivesAt = arrivalAt(
      endpointOf('GET', undefined, pathOf(request)),
      isWrong(disbelief, credentials) ? 'disbelieved' : 'believed',
    );
    const passage = new Passage(gate, caller, arrivesAt, () => leaving.signal);
    await passage.arrive();
    return passage.verdict ? limitHeaders(passage.verdict) : {};
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

function rejectAtGate(stream: Duplex, verdict: Verdict, documentationUrl: string): void {
  const body = JSON.stringify(rejectionBody(verdict, documentationUrl));
  reject(stream, '429 Too Many Requests', limitHeaders(verdict), body);
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
