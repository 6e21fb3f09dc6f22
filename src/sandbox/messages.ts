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

export type MessageStore = ReturnType<typeof createMessageStore>;

const KEPT = 10_000;

/** Keeps the last 10,000 messages in memory. */
export function createMessageStore() {
  let messages: ReceivedMessage[] = [];
  let lastId = 0;
  return {
    add(message: Omit<ReceivedMessage, 'id'>): void {
      lastId += 1;
      messages.push({ id: lastId, ...message });
      // Cut in strides: shifting the whole list on every message would cost more than the message.
      if (messages.length >= 2 * KEPT) messages = messages.slice(-KEPT);
    },
    /** Newest last. */
    list: ({ channel, to }: { channel?: string | undefined; to?: string | undefined }): ReceivedMessage[] =>
      messages
        .slice(-KEPT)
        .filter((message) => (!channel || message.channel === channel) && (!to || message.to === to)),
    clear(): void {
      messages = [];
    },
  };
}
