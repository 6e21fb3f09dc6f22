import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request that a receiver got, as its signature says it was sent. */
export interface Got {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A real receiver of webhooks. */
export interface TestReceiver {
  readonly url: string;
  /** Requests in the order of their arrival; those alone whose signature is right once `secret` is set. */
  readonly got: Got[];
  secret: string | undefined;
  /** How it answers; 204 unless set. */
  answer: (response: ServerResponse, got: Got) => void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<TestReceiver> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const id = String(request.headers['webhook-id']);
      if (receiver.secret && !isSigned(receiver.secret, text, request)) {
        response.writeHead(401).end();
        return;
      }
      const { type = '', data = {} } = text === '' ? {} : JSON.parse(text);
      const one: Got = { id, type, data };
      got.push(one);
      receiver.answer(response, one);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    secret: undefined,
    answer: (response) => response.writeHead(204).end(),
    close: () => closeNow(server),
  };
  return receiver;
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function isSigned(secret: string, text: string, { headers }: IncomingMessage): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

function closeNow(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  return promise;
}
