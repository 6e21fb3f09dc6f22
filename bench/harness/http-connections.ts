import { connect, type Socket } from 'node:net';

/** A POST to a server whose connections are open. */
export interface Post {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** Keep-alive connections to one server, made for load that costs the machine little itself. */
export interface HttpConnections {
  /**
   * Sends on a connection that is free, opens another, or waits for one.
   *
   * @throws when the connection fails, or the answer does not say how long it is
   */
  post(post: Post): Promise<HttpAnswer>;
  close(): void;
}

/** @param most connections that are open at once */
export function openConnections(origin: string, most: number): HttpConnections {
  const { hostname, port, host } = new URL(origin);
  const free: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  const open = new Set<Connection>();

  function take(): Connection | Promise<Connection> {
    // The one that rested longest: none rests until the server gives it up.
    const rested = free.shift();
    if (rested) return rested;
    if (open.size === most) return new Promise((resolve) => waiting.push(resolve));
    const connection = openConnection(connect(Number(port), hostname), () => {
      open.delete(connection);
      const at = free.indexOf(connection);
      if (at >= 0) free.splice(at, 1);
    });
    open.add(connection);
    return connection;
  }

  function giveBack(connection: Connection): void {
    const next = waiting.shift();
    if (next) next(connection);
    else free.push(connection);
  }

  return {
    async post({ path, headers, body }) {
      const connection = await take();
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}`;
      const answer = await connection.ask(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      giveBack(connection);
      return answer;
    },
    close() {
      for (const connection of open) connection.close();
    },
  };
}

interface Connection {
  ask(request: string): Promise<HttpAnswer>;
  close(): void;
}

function openConnection(socket: Socket, onClose: () => void): Connection {
  let asker: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | undefined;
  // One character a byte, so that a length counts both alike.
  let read = '';
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    read += text;
    try {
      const answer = answerIn(read);
      if (!answer) return;
      read = '';
      asker?.resolve(answer);
    } catch (error) {
      asker?.reject(error as Error);
      socket.destroy();
    }
  });
  socket.on('error', (error) => asker?.reject(error));
  socket.on('close', () => {
    onClose();
    asker?.reject(new Error('the server closed the connection'));
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        asker = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** The answer, once it is there to its end. */
function answerIn(read: string): HttpAnswer | undefined {
  const headEnd = read.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = read.slice(0, headEnd);
  const length = /^content-length: (\d+)$/im.exec(head.replaceAll('\r', ''))?.[1];
  if (length === undefined) throw new Error(`an answer of unknown length: ${head}`);
  const body = read.slice(headEnd + 4);
  if (body.length < Number(length)) return undefined;
  return { status: Number(head.slice(9, 12)), body: Buffer.from(body, 'latin1').toString() };
}
