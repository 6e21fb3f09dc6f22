import type { TakenMessage } from '../domains/notifications/providers/stand-in.js';

/** A message that a sandbox provider took. */
export interface ReceivedMessage extends TakenMessage {
  /** Grows with every message. */
  readonly id: number;
  readonly channel: string;
  readonly provider: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Which connection it came by: equal numbers shared one. */
  readonly connection: number;
  /** As received, without credentials. */
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface MessageStore {
  add(message: Omit<ReceivedMessage, 'id'>): void;
  /** Newest last. */
  list(filter: {
    readonly channel?: string | undefined;
    readonly to?: string | undefined;
  }): readonly ReceivedMessage[];
  clear(): void;
}

const KEPT = 10_000;

/** Keeps the last 10,000 messages in memory. */
export function createMessageStore(): MessageStore {
  let messages: ReceivedMessage[] = [];
  let lastId = 0;
  return {
    add(message) {
      lastId += 1;
      messages.push({ id: lastId, ...message });
      // Cut in strides: shifting the whole list on every message would cost more than the message.
      if (messages.length >= 2 * KEPT) messages = messages.slice(-KEPT);
    },
    list: ({ channel, to }) =>
      messages
        .slice(-KEPT)
        .filter((message) => (!channel || message.channel === channel) && (!to || message.to === to)),
    clear() {
      messages = [];
    },
  };
}
