import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { DeadlineExceeded, unlessEnded } from '../../../platform/deadline.js';
import { publicLookup } from '../../../platform/network/public-lookup.js';
import { describe } from '../providers/https-client.js';
import { storable } from '../text.js';
import type { Reply } from './attempt.js';
import { faultOfUrl } from './check.js';

/** A receiver has so long to take a connection, and so long in all. */
export const CONNECT_MS = 5_000;
export const ANSWER_MS = 15_000;
/** So much of an answer is read. */
export const ANSWER_BYTES = 1_024;
const LONGEST_REASON = 500;
const IDLE_SOCKET_MS = 30_000;

export interface PostOptions {
  /** Inside addresses, http and any port, too. */
  readonly allowPrivate: boolean;
  /** Instead of the machine's own. */
  readonly nameServers?: readonly string[];
  readonly connectMs?: number;
  readonly answerMs?: number;
}

/**
 * Makes one request to a receiver. Nothing is sent to an address that is not public: the URL's own form is checked, and then each
 * address that its name resolves to for this very connection. Redirects are not followed, no proxy is used, and of an answer 1 KB is read.
 *
 * @throws the reason of `signal` where that aborts: how the request ended is not known then
 */
export type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<Reply>;

/** Connections stay open between requests; `close` cuts them. */
export function createPost(options: PostOptions): { readonly post: Post; close(): void } {
  const { allowPrivate, nameServers = [], connectMs = CONNECT_MS, answerMs = ANSWER_MS } = options;
  const kept = { keepAlive: true, timeout: IDLE_SOCKET_MS };
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) };

  function exchange(
    target: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const url = new URL(target);
    const isSecure = url.protocol === 'https:';
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const call = (isSecure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: agents[isSecure ? 'https:' : 'http:'],
      signal,
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        'user-agent': 'tidings-webhooks/1',
        'content-length': Buffer.byteLength(body),
      },
      ...(!allowPrivate && { lookup: discreetLookup(signal, nameServers) }),
    });
    const giveUp = (): unknown => call.destroy(new Error(`no connection in ${connectMs} ms`));
    const connecting = setTimeout(giveUp, connectMs);
    const connected = (): void => clearTimeout(connecting);
    call.on('socket', (socket) => {
      if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', connected);
      else connected();
    });
    call.on('response', resolve);
    // Without a listener Node drops the connection silently.
    call.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the receiver switches protocols'));
    });
    call.on('error', reject);
    call.on('close', () => {
      connected();
      reject(new Error('the connection ended without an answer'));
    });
    call.end(body);
    return answered;
  }

  return {
    async post(url, headers, body, signal) {
      const fault = faultOfUrl(url, allowPrivate);
      if (fault !== null) return { kind: 'none', reason: `events are not sent to this URL: ${fault}` };
      let status: number | undefined;
      const beginning = new Beginning();
      try {
        await unlessEnded(answerMs, signal, async (deadline) => {
          const answer = await exchange(url, headers, body, deadline);
          status = answer.statusCode ?? 0;
          await beginning.read(answer);
        });
      } catch (error) {
        if (status === undefined) {
          if (signal.aborted && !(error instanceof DeadlineExceeded)) throw error;
          return { kind: 'none', reason: storable(describe(error), LONGEST_REASON) };
        }
      }
      // The status says how it ended, whatever became of the rest.
      return { kind: 'answer', status: status ?? 0, body: beginning.text() };
    },
    close() {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

/** As `publicLookup`, with one error for whatever is wrong with a name: producers read it, and learn of no name that is known inside alone. */
function discreetLookup(signal: AbortSignal, nameServers: readonly string[]): LookupFunction {
  const lookup = publicLookup(signal, nameServers);
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, ...found) =>
      callback(error && new Error(`${hostname} has no address, or one that is not public`), ...found),
    );
}

/** The first bytes of an answer. */
class Beginning {
  private readonly bytes = Buffer.alloc(ANSWER_BYTES);
  private length = 0;

  /** Reads until there are enough: then the connection is cut, else it can be used again. */
  async read(answer: IncomingMessage): Promise<void> {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      this.length += chunk.copy(this.bytes, this.length);
      if (this.length === ANSWER_BYTES) return;
    }
  }

  text(): string {
    return storable(this.bytes.subarray(0, this.length).toString('utf8'), ANSWER_BYTES);
  }
}
