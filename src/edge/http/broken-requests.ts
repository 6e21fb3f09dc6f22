import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { behindAnswers, openAnswers } from './open-answers.js';

const statusOf: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Connections whose refusal is pending. Node reports them again as more data comes. */
const pending = new WeakSet<Socket>();

/** Refuses what Node could not read as a request. No hook runs for it. */
export function refuseUnreadable(
  { code }: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (code === 'ECONNRESET' || !socket.writable) socket.destroySoon();
  else refuseBroken(statusOf[code ?? ''] ?? 400, socket, headers);
}

/**
 * Refuses a request that was not read to its end, behind the answers to earlier ones of its connection, and closes that.
 *
 * @param status of the answer: 400, 408 or 431
 */
export function refuseBroken(
  status: number,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (pending.has(socket)) return;
  pending.add(socket);
  const halfSent = openAnswers(socket).find(({ req }) => !req.complete);
  behindAnswers(socket, () => {
    pending.delete(socket);
    // A slow one may have come to its end meanwhile.
    if (halfSent?.req.complete) return;
    // One that is being answered already has its answer.
    if (socket.writable && !halfSent?.headersSent) socket.write(refusal(status, headers));
    socket.destroySoon();
  });
}

function refusal(status: number, headers: Readonly<Record<string, string>>): string {
  const message = 'The request is not well-formed, or it broke off';
  const body = JSON.stringify({ error: { code: 'BAD_USER_INPUT', message, path: null } });
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n${more.join('')}\r\n${body}`
  );
}
