import { MessageType } from 'graphql-ws';
import { parsed } from '../json.js';

const LONGEST = 4_096;
/** Enough for the longest token. */
const LONGEST_INIT = 8_192;
const COMPLETE: string = MessageType.Complete;

/** Whether a message is long without being an operation: reading it would not be charged. */
export function isTooLong(text: string): boolean {
  if (text.length <= LONGEST) return false;
  const type = typeOf(text);
  if (type === MessageType.ConnectionInit) return text.length > LONGEST_INIT;
  return type !== MessageType.Subscribe;
}

/** The operation that a message completes; undefined where it is another message. */
export function completedId(text: string): string | undefined {
  if (text.length > LONGEST || !text.includes(COMPLETE)) return undefined;
  const message = parsed(text);
  if (typeOfMessage(message) !== MessageType.Complete) return undefined;
  const { id } = message as { id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

const typeOf = (text: string): unknown => typeOfMessage(parsed(text));

const typeOfMessage = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
