import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Logger } from '../../../platform/logging/logger.js';
import {
  type Answer,
  describe,
  type Exchange,
  lost,
  MAX_ANSWER_BYTES,
  type Post,
  trusting,
} from './https-client.js';

export interface Http2Client {
  /** On the kept session, which is opened first where there is none. */
  readonly post: Post;
  /** Ends the session once its streams have ended. */
  close(): Promise<void>;
}

interface Connection {
  readonly session: ClientHttp2Session;
  /** Streams above it were not processed by the peer (RFC 9113, GOAWAY). */
  lastStreamId: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Apple asks for a ping now and then on a quiet connection; a missed one finds a dead peer. */
const PING_EVERY_MS = 30_000;

/**
 * One HTTP/2 session to one origin, kept open between calls. After GOAWAY, an error or a close, the next
 * call opens another; streams of the old one that the peer still serves run to their end.
 *
 * @param ca an extra trusted certificate authority (PEM)
 */
export function createHttp2Client(origin: string, logger: Logger, ca?: string): Http2Client {
  let current: Promise<Connection> | undefined;

  function connection(): Promise<Connection> {
    if (current) return current;
    const opening = open(origin, ca, (why) => {
      if (current !== opening) return;
      current = undefined;
      logger.debug({ origin, why }, 'provider session ended');
    });
    current = opening;
    return opening;
  }

  const attempt: Post = async (path, headers, body, signal) => {
    const opened = await untilAborted(connection(), signal);
    try {
      const stream = opened.session.request({ ...headers, ':method': 'POST', ':path': path });
      return await exchange(opened, stream, body, signal);
    } catch (error) {
      // The session ended since it was handed out, so nothing was written.
      return lost(signal, false, describe(error));
    }
  };

  return {
    async post(path, headers, body, signal) {
      if (signal.aborted) return lost(signal, false, 'aborted before sending');
      try {
        const first = await attempt(path, headers, body, signal);
        if (first.kind === 'answer' || first.sent || signal.aborted) return first;
        // A session that was ending refused the stream unprocessed: the next session may take it.
        return await attempt(path, headers, body, signal);
      } catch (error) {
        return lost(signal, false, describe(error));
      }
    },
    async close() {
      const opened = await current?.catch(() => undefined);
      if (!opened || opened.session.destroyed) return;
      await new Promise<void>((resolve) => opened.session.close(resolve));
    },
  };
}

/** @param onEnd called, maybe more than once, as soon as the session takes no more calls */
function open(origin: string, ca: string | undefined, onEnd: (why: string) => void): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const session = connect(origin, trusting(ca));
    const opened: Connection = { session, lastStreamId: Number.POSITIVE_INFINITY };
    const giveUp = setTimeout(
      () => session.destroy(new Error('connecting took too long')),
      CONNECT_TIMEOUT_MS,
    );
    const stopPings = ping(session);
    session.once('connect', () => {
      clearTimeout(giveUp);
      resolve(opened);
    });
    session.on('goaway', (_code, lastStreamId) => {
      opened.lastStreamId = lastStreamId;
      onEnd('goaway');
    });
    session.on('error', (error) => {
      onEnd(describe(error));
      reject(error);
    });
    session.once('close', () => {
      clearTimeout(giveUp);
      stopPings();
      onEnd('closed');
      reject(new Error('the session was closed'));
    });
  });
}

function ping(session: ClientHttp2Session): () => void {
  let waiting = false;
  const timer = setInterval(() => {
    if (session.connecting) return;
    if (waiting) return session.destroy(new Error('no answer to a ping'));
    waiting = true;
    session.ping(() => {
      waiting = false;
    });
  }, PING_EVERY_MS).unref();
  return () => clearInterval(timer);
}

function exchange(
  opened: Connection,
  stream: ClientHttp2Stream,
  body: string | Uint8Array,
  signal: AbortSignal,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const give = (outcome: Exchange) => {
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const mayHaveArrived = () =>
      !stream.pending &&
      (stream.id ?? 0) <= opened.lastStreamId &&
      stream.rstCode !== constants.NGHTTP2_REFUSED_STREAM;
    const onAbort = () => {
      give(lost(signal, mayHaveArrived(), 'aborted while waiting for the answer'));
      stream.close(constants.NGHTTP2_CANCEL);
    };
    signal.addEventListener('abort', onAbort, { once: true });

    const answer = { status: 0, headers: {} as Answer['headers'], body: '' };
    stream.setEncoding('utf8');
    stream.on('response', ({ ':status': status, ...headers }) => {
      answer.status = status ?? 0;
      answer.headers = headers as Answer['headers'];
    });
    stream.on('data', (text: string) => {
      answer.body += text;
      if (answer.body.length > MAX_ANSWER_BYTES) stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.on('error', (error) => give(lost(signal, mayHaveArrived(), describe(error))));
    stream.on('close', () => {
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR && answer.status > 0) {
        give({ kind: 'answer', ...answer });
      } else give(lost(signal, mayHaveArrived(), 'the stream ended without an answer'));
    });
    stream.end(body);
  });
}

/** Waits for `work`, but no longer than the caller does: the shared connection attempt itself goes on. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(new Error('aborted while connecting'));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
