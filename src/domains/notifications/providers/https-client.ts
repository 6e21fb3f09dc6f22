import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { getCACertificates } from 'node:tls';

/** How an exchange with a provider ended on the wire, before anybody judged the status. */
export type Exchange = Answer | LostCall;

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** No answer came. */
export interface LostCall {
  readonly kind: 'lost';
  readonly cause: 'aborted' | 'connection';
  /** The request may have reached the provider; false only where it certainly did not. */
  readonly sent: boolean;
  readonly reason: string;
}

/** Makes one POST. Never rejects. */
export type Post = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
  signal: AbortSignal,
) => Promise<Exchange>;

export interface HttpsClient {
  readonly post: Post;
  /** Cuts every connection, idle or not. */
  close(): void;
}

/** Answers of providers are small; one that is not is cut off rather than gathered in memory. */
export const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_SOCKETS = 128;
/** Idle sockets go before a provider closes them: a call on a socket that is being closed ends unknown. */
const IDLE_SOCKET_MS = 30_000;

/**
 * An HTTP/1.1 client for one origin whose connections stay open between calls.
 *
 * @param origin scheme, host and port; `http:` is taken for trials behind a TLS-ending proxy
 * @param ca an extra trusted certificate authority (PEM), beside those that Node trusts already
 */
export function createHttpsClient(origin: string, ca?: string): HttpsClient {
  const { protocol } = new URL(origin);
  const kept = {
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    scheduling: 'lifo' as const,
    timeout: IDLE_SOCKET_MS,
  };
  const agent = protocol === 'https:' ? new HttpsAgent({ ...kept, ...trusting(ca) }) : new HttpAgent(kept);
  const request = protocol === 'https:' ? httpsRequest : httpRequest;

  return {
    post: (path, headers, body, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(lost(signal, false, 'aborted before sending'));
        let sent = false;
        const call = request(new URL(path, origin), {
          method: 'POST',
          agent,
          signal,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        });
        call.on('socket', (socket) => {
          if (!socket.connecting) sent = true;
          else socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => (sent = true));
        });
        call.on('error', (error) => resolve(lost(signal, sent, describe(error))));
        call.on('response', (response) => {
          gather(response).then(resolve, (error) => resolve(lost(signal, true, describe(error))));
        });
        call.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** TLS options that trust `ca` besides what Node trusts already. */
export function trusting(ca: string | undefined): { ca?: string[] } {
  return ca ? { ca: [...getCACertificates('default'), ca] } : {};
}

/** The call that got no answer, distinguished by whether the caller gave up or the connection did. */
export function lost(signal: AbortSignal, sent: boolean, reason: string): LostCall {
  return { kind: 'lost', cause: signal.aborted ? 'aborted' : 'connection', sent, reason };
}

/** An error for people: its code where it has one, else its message. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string'
    ? `${error.code}: ${error.message}`
    : error.message;
}

async function gather(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return {
    kind: 'answer',
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
