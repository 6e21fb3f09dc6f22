import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  newest: IncomingMessage;
  /** The answer to the newest request was given, and closes the connection behind it. */
  isEnding: boolean;
}

/**
 * Which answers say `Connection: close` once a process is to end, and what comes behind one that says so. A client may have sent several requests without waiting:
 * an answer that closes drops those to whatever came after it, though it ran. So only the answer to the newest request of a
 * connection closes it, and what comes after that one does not run.
 */
export class Drain {
  private readonly connections = new WeakMap<Socket, Connection>();
  private isOn = false;

  begin(): void {
    this.isOn = true;
  }

  get hasBegun(): boolean {
    return this.isOn;
  }

  /** To be called for every request, in their order, before it runs. */
  arrived(request: IncomingMessage): void {
    const connection = this.connections.get(request.socket);
    if (!connection) this.connections.set(request.socket, { newest: request, isEnding: false });
    else if (!connection.isEnding) connection.newest = request;
  }

  /** To be called for an answer that is its connection's last for another reason: later requests do not run. */
  endsBehind(request: IncomingMessage): void {
    const connection = this.connections.get(request.socket);
    if (connection) connection.isEnding = true;
  }

  /** Whether its connection will be closed before an answer could be sent. */
  isTooLate(request: IncomingMessage): boolean {
    const connection = this.connections.get(request.socket);
    return connection?.isEnding === true && connection.newest !== request;
  }

  /** To be called before an answer is sent. @returns whether it has to say that it is the connection's last */
  closesBehind(request: IncomingMessage): boolean {
    if (!this.isOn) return false;
    const connection = this.connections.get(request.socket);
    if (!connection) return true;
    if (connection.newest !== request) return false;
    connection.isEnding = true;
    return true;
  }
}
