import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { OutgoingTarget } from './outgoing-target.js';

/** The stream of JetStream that other systems read. */
export const NATS_STREAM = 'tidings-events';
const SUBJECT = 'tidings.events';
const TIMEOUT_MS = 5_000;

interface Session {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
}

/**
 * A stream of NATS JetStream: each event under the subject `tidings.events.<type>`. What keeps it in order and free of repeats is the
 * sequence that each message expects to be the last one before it; a holder that was taken over is refused by that, too.
 *
 * The stream is made where there is none, with `length` messages at most; one that is there already stays as it is.
 *
 * @param url `nats://` or `tls://`, with user and password, or a token in the user's place
 */
export function natsTarget(url: URL, length: number): OutgoingTarget & { close(): Promise<void> } {
  let opening: Promise<Session> | undefined;
  /** The last one that the stream gave, whether or not the message is still there. */
  let lastSequence = 0;

  /** Kept once it is there: it connects anew by itself. */
  function session(): Promise<Session> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function open(): Promise<Session> {
    const [{ connect }, { jetstream, jetstreamManager }] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
    ]);
    const connection = await connect({
      servers: url.host,
      name: 'tidings',
      timeout: TIMEOUT_MS,
      maxReconnectAttempts: -1,
      ...credentialsOf(url),
      ...(url.protocol === 'tls:' && { tls: {} }),
    });
    // The server may end it for good, and so may a pair of credentials that is no longer good.
    void connection.closed().then(() => {
      opening = undefined;
    });
    try {
      const options = { timeout: TIMEOUT_MS };
      const manager = await jetstreamManager(connection, options);
      return { connection, client: jetstream(connection, options), manager };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Made where there is none. */
  async function stateOf({ streams }: JetStreamManager): Promise<{ messages: number; last_seq: number }> {
    const { JetStreamApiCodes, JetStreamApiError } = await import('@nats-io/jetstream');
    const found = await streams.info(NATS_STREAM).catch((error: unknown) => {
      const isAbsent = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
      if (!isAbsent) throw error;
      return streams.add({ name: NATS_STREAM, subjects: [`${SUBJECT}.>`], max_msgs: length });
    });
    return found.state;
  }

  return {
    async newest() {
      const { manager } = await session();
      const { messages, last_seq: sequence } = await stateOf(manager);
      lastSequence = sequence;
      const message = messages > 0 ? await manager.streams.getMessage(NATS_STREAM, { seq: sequence }) : null;
      if (!message) return null;
      const text = message.string();
      return { position: positionIn(text), text };
    },
    async add(entries) {
      const { client } = await session();
      const before = lastSequence;
      await Promise.all(
        entries.map(({ type, text }, index) =>
          client.publish(`${SUBJECT}.${type}`, text, {
            expect: { streamName: NATS_STREAM, lastSequence: before + index },
          }),
        ),
      );
      lastSequence = before + entries.length;
    },
    async clear() {
      const { manager } = await session();
      await manager.streams.purge(NATS_STREAM);
    },
    async close() {
      await opening?.then(({ connection }) => connection.close()).catch(() => undefined);
    },
  };
}

function credentialsOf({ username, password }: URL) {
  const user = decodeURIComponent(username);
  if (user === '') return {};
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
}

/** 0 where it is no event's text. */
function positionIn(text: string): number {
  try {
    return Number(JSON.parse(text).id) || 0;
  } catch {
    return 0;
  }
}
