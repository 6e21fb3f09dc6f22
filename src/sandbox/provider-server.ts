import { once } from 'node:events';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  Reply,
  SandboxProvider,
  SandboxRequest,
  Taken,
} from '../domains/notifications/providers/stand-in.js';
import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging/logger.js';
import type { Behaviour, Fault } from './behaviour.js';
import type { MessageStore } from './messages.js';

/** A stand-in under its provider's name. */
export interface NamedProvider extends SandboxProvider {
  readonly name: string;
  readonly channel: string;
}

export interface ProviderServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface ProviderServerOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly key: string; readonly cert: string };
  readonly providers: readonly NamedProvider[];
  readonly behaviour: Behaviour;
  readonly messages: MessageStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

const MAX_BODY_BYTES = 1024 * 1024;
/** As many as Apple allows on one connection. */
const MAX_CONCURRENT_STREAMS = 1000;

/** All providers on one TLS port, HTTP/2 and HTTP/1.1, distinguished by path. */
export async function startProviderServer(options: ProviderServerOptions): Promise<ProviderServer> {
  const sockets = new Set<Socket>();
  const numbers = new WeakMap<object, number>();
  let connections = 0;
  const server = createSecureServer(
    { ...options.tls, allowHTTP1: true, settings: { maxConcurrentStreams: MAX_CONCURRENT_STREAMS } },
    (request, response) => {
      const number = numbers.get(request.stream?.session ?? request.socket) ?? 0;
      serve(request, response, number, options).catch((error: unknown) => {
        if (!response.destroyed && !request.aborted)
          options.logger.error({ err: error }, 'sandbox provider failed');
        response.destroy();
      });
    },
  );
  server.on('session', (session) => numbers.set(session, ++connections));
  server.on('secureConnection', (socket) => {
    numbers.set(socket, ++connections);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A client that goes away in the middle is part of the trade.
    socket.on('error', () => {});
  });
  await listen(server, options.port, options.host);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Takes another free port where that one is taken. */
async function listen(server: Http2SecureServer, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken || port === 0) throw error;
    await listen(server, 0, host);
  }
}

async function serve(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  connection: number,
  options: ProviderServerOptions,
): Promise<void> {
  const body = await readBody(request);
  const path = request.url.split('?')[0] ?? '';
  const provider = options.providers.find((candidate) => candidate.serves(path));
  if (!provider || !body) return answer(response, { status: body ? 404 : 413 });
  const read: SandboxRequest = {
    method: request.method,
    path,
    headers: request.headers,
    body,
    http2: request.httpVersionMajor === 2,
    connection,
  };
  const judgement = await provider.judge(read);
  if (!('message' in judgement)) return answer(response, judgement);

  const fault = options.behaviour.take(provider.channel, provider.name);
  if (fault?.latencyMs) await delay(fault.latencyMs);
  if (fault?.status) return answer(response, faultReply(provider, fault, fault.status));
  keep(judgement, provider, read, options);
  if (fault?.hang) return;
  if (fault?.drop) return cut(request);
  answer(response, judgement.reply);
  if (fault?.goaway) request.stream?.session?.close();
  judgement.afterwards?.(fault?.outcome);
}

function faultReply(provider: SandboxProvider, fault: Fault, status: number): Reply {
  const reply = provider.refusal(status, fault.reason, fault.deadSince);
  if (fault.retryAfter === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(fault.retryAfter) } };
}

function keep(
  judgement: Taken,
  { channel, name }: NamedProvider,
  request: SandboxRequest,
  { messages, clock }: ProviderServerOptions,
): void {
  const shown = Object.entries(request.headers).filter(([name]) => name !== 'authorization');
  messages.add({
    channel,
    provider: name,
    ...judgement.message,
    at: new Date(clock.now()).toISOString(),
    connection: request.connection,
    headers: Object.fromEntries(shown),
  });
}

/** The whole body, or undefined where it is longer than any provider takes. */
async function readBody(request: Http2ServerRequest): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

function answer(response: Http2ServerResponse, reply: Reply): void {
  const json = reply.body === undefined ? '' : JSON.stringify(reply.body);
  response.writeHead(reply.status, { ...(json && { 'content-type': 'application/json' }), ...reply.headers });
  response.end(json);
}

/** Cuts the whole connection, as a crash or a middlebox would. */
function cut(request: Http2ServerRequest): void {
  if (request.stream?.session) request.stream.session.destroy();
  else request.socket.destroy();
}
