import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';

/** How a request for a socket was answered. */
export interface UpgradeAnswer {
  /** 101 where the socket opened. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty where the socket opened. */
  readonly body: string;
}

/** Asks for a socket to speak GraphQL on; one that opens is ended again. */
export function upgrade(url: string, headers: Record<string, string> = {}): Promise<UpgradeAnswer> {
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers });
  const opened = Promise.all([once(socket, 'upgrade'), once(socket, 'open')]).then(([[answer]]) => {
    socket.terminate();
    return told(answer, '');
  });
  const refused = once(socket, 'unexpected-response').then(async ([, answer]) =>
    told(answer, await text(answer)),
  );
  return Promise.race([opened, refused]);
}

const told = ({ statusCode = 0, headers }: IncomingMessage, body: string): UpgradeAnswer => ({
  status: statusCode,
  headers,
  body,
});
