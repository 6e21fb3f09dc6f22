import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createHttp2Client,
  type Http2Client,
} from '../../src/domains/notifications/providers/http2-client.js';
import { neverAborted, silent } from './with-sandbox.js';

let server: Http2Server | undefined;
let client: Http2Client | undefined;
afterEach(async () => {
  await client?.close();
  server?.close();
});

/** A peer whose sessions behave as `onStreams` says once `gather` streams have come in. */
async function connectTo(gather: number, onStreams: (streams: ServerHttp2Stream[]) => void) {
  let sessions = 0;
  let waiting: ServerHttp2Stream[] = [];
  server = createServer();
  server.on('session', (session) => {
    sessions += 1;
    session.on('error', () => {});
  });
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    if (sessions > 1) return stream.respond({ ':status': 200 }, { endStream: true });
    waiting.push(stream);
    if (waiting.length < gather) return;
    onStreams(waiting);
    waiting = [];
  });
  const listening = server;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const connected = createHttp2Client(`http://127.0.0.1:${address.port}`, silent);
  client = connected;
  return {
    sessions: () => sessions,
    post: (body = '{}') => connected.post('/x', {}, body, neverAborted()),
  };
}

const respond = (stream: ServerHttp2Stream | undefined) =>
  stream?.respond({ ':status': 200 }, { endStream: true });

describe('the HTTP/2 client', () => {
  it('repeats on another session exactly the calls that GOAWAY says were not processed', async () => {
    const peer = await connectTo(3, ([first]) => {
      first?.session?.goaway(0, first.id);
      respond(first);
    });
    const answers = await Promise.all([peer.post(), peer.post(), peer.post()]);
    expect(answers).toMatchObject(Array(3).fill({ kind: 'answer', status: 200 }));
    expect(peer.sessions()).toBe(2);
  });

  it('does not repeat a call that the peer may have processed before it went away with an error', async () => {
    const peer = await connectTo(1, ([first]) => first?.session?.goaway(2, first.id));
    expect(await peer.post()).toMatchObject({ kind: 'lost', cause: 'connection', sent: true });
    expect(await peer.post()).toMatchObject({ kind: 'answer' });
    expect(peer.sessions()).toBe(2);
  });

  it('distinguishes the calls even when the peer goes away with an error', async () => {
    const peer = await connectTo(3, ([first]) => first?.session?.goaway(2, first.id));
    const outcomes = await Promise.all([peer.post(), peer.post(), peer.post()]);
    expect(outcomes).toMatchObject([{ kind: 'lost', sent: true }, { kind: 'answer' }, { kind: 'answer' }]);
  });

  it('repeats a call that was refused unprocessed, once', async () => {
    let refusals = 0;
    const peer = await connectTo(1, ([stream]) => {
      refusals += 1;
      stream?.close(7);
    });
    expect(await peer.post()).toMatchObject({ kind: 'lost', sent: false });
    expect(refusals).toBe(2);
  });

  it('cuts off an answer that does not end', async () => {
    const peer = await connectTo(1, ([stream]) => {
      stream?.respond({ ':status': 200 });
      stream?.end('x'.repeat(1024 * 1024));
    });
    expect(await peer.post()).toMatchObject({ kind: 'lost', sent: true });
  });
});
