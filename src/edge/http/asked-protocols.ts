import type { IncomingMessage } from 'node:http';

/**
 * Whether a request asks for a WebSocket. Any other protocol that it would change to is ignored (RFC 9110, 7.8): clients of
 * HTTP/2 offer `h2c` with plain requests. Node asks from 24.9 on; older ones take every such request for an upgrade.
 */
export const asksForSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket') ?? false;
